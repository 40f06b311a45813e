import { beforeEach, describe, expect, it } from 'vitest'
import type { MoveOffered } from '../../bindings/MoveOffered'
import type { MoveStart } from '../../bindings/MoveStart'
import { gbFactor, useGbFactor } from '../../lib/gbFactor.svelte'
import { operation } from '../../testing/operation'
import { Program, part } from '../../testing/program'
import { Move } from './move.svelte'

let program: Program
beforeEach(() => {
  program = new Program().withoutOperations()
})

const offer = (gb: string) => part<MoveOffered>({ token: `token ${gb}`, gb })
let move: Move
beforeEach(() => {
  program.answer('open_move', part<MoveStart>({ factor: 1024, suggested: '' }))
  move = new Move(program.call, { direction: 'recharge', customerId: '7', userName: 'Anna', counterOf: null })
})

describe('a move of traffic', () => {
  it('offers the amount that was typed last', async () => {
    await move.open()
    move.gb = '1'
    const first = move.check()
    move.gb = '12'
    const second = move.check()
    const [early, late] = program.held('offer_move')
    await late?.answer(offer('12'))
    await early?.answer(offer('1'))
    await Promise.all([first, second])
    expect(move.offer?.gb).toBe('12')
  })

  it('offers nothing while another amount is checked, nor for none', async () => {
    program.answer('offer_move', ({ gb }) => offer(gb))
    await move.open()
    move.gb = '1'
    await move.check()
    program.hold('offer_move')
    move.gb = '2'
    void move.check()
    expect(move.offer).toBeNull()
    move.gb = ''
    await move.check()
    await program.held('offer_move')[0]?.answer(offer('2'))
    expect(move.offer).toBeNull()
  })

  it('learns nothing more once its dialog is closed', async () => {
    useGbFactor(1024)
    program.hold('open_move')
    const opened = move.open()
    move.leave()
    await program.held('open_move')[0]?.answer(part<MoveStart>({ factor: 1000, suggested: '1' }))
    await opened
    expect([gbFactor(), move.start, program.count('offer_move')]).toEqual([1024n, null, 0])
  })

  it('names a wrong amount beside its field', async () => {
    await move.open()
    move.gb = 'x'
    const checked = move.check()
    await program.held('offer_move')[0]?.refuse('invalid', { field: 'amount-gb', why: 'not-a-number' })
    await checked
    expect([move.wrong?.about.field, move.error]).toEqual(['amount-gb', null])
  })

  it('is sent once; the offer is spent by the press', async () => {
    program.answer('offer_move', ({ gb }) => offer(gb))
    await move.open()
    move.gb = '3'
    await move.check()
    const presses = Promise.all([move.confirm(), move.confirm()])
    expect([program.count('confirm_move'), move.sending, move.offer]).toEqual([1, true, null])
    await program.held('confirm_move')[0]?.answer(operation({ id: 'sent' }))
    expect(await presses).toEqual(['sent', null])
  })

  it('goes on with the same offer once the risk is accepted', async () => {
    program.answer('offer_move', ({ gb }) => offer(gb)).refuse('confirm_move', 'still-watched')
    await move.open()
    move.gb = '3'
    await move.check()
    await move.confirm()
    expect([move.mustBeSure, move.offer?.gb]).toEqual([true, '3'])
    move.anyway = true
    program.answer('confirm_move', operation({ id: 'sent' }))
    expect(await move.confirm()).toBe('sent')
    expect(program.last('confirm_move')).toEqual({ token: 'token 3', anyway: true })
  })
})
