import { beforeEach, describe, expect, it } from 'vitest'
import type { MoveOffered } from '../../bindings/MoveOffered'
import type { MoveStart } from '../../bindings/MoveStart'
import { operation } from '../../testing/operation'
import { Program, part } from '../../testing/program'
import { gbFactor, useGbFactor } from '../gbFactor.svelte'
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
    const first = move.type()
    move.gb = '12'
    const second = move.type()
    const [early, late] = program.held('offer_move')
    await late?.answer(offer('12'))
    await early?.answer(offer('1'))
    await Promise.all([first, second])
    expect(move.offer?.gb).toBe('12')
  })

  it('begins with an amount that was said, and offers it', async () => {
    program.answer('offer_move', ({ gb }) => offer(gb))
    const said = new Move(program.call, move.target, '5g')
    await said.open()
    expect([said.gb, said.offer?.gb, program.count('confirm_move')]).toEqual(['5g', '5g', 0])
    expect([said.isReady, move.isReady], 'the next Enter confirms what was said').toEqual([true, false])
  })

  it('shows the last amounts that are not among the usual ones', async () => {
    expect(move.last).toEqual([])
    program.answer('open_move', part<MoveStart>({ factor: 1024, suggested: '', last: ['7', '5', '2.5'] }))
    await move.open()
    expect(move.last).toEqual(['7', '2.5'])
  })

  it('offers nothing while another amount is checked, nor for none', async () => {
    program.answer('offer_move', ({ gb }) => offer(gb))
    await move.open()
    move.gb = '1'
    await move.type()
    program.hold('offer_move')
    move.gb = '2'
    void move.type()
    expect(move.offer).toBeNull()
    move.gb = ''
    await move.type()
    await program.held('offer_move')[0]?.answer(offer('2'))
    expect(move.offer).toBeNull()
  })

  it('takes an amount that was typed before the figures arrived', async () => {
    program.hold('open_move').answer('offer_move', ({ gb }) => offer(gb))
    const opened = move.open()
    move.gb = '5'
    await move.type()
    move.enter()
    expect([program.count('offer_move'), move.isReady]).toEqual([0, false])
    await program.held('open_move')[0]?.answer(part<MoveStart>({ factor: 1024, suggested: '2' }))
    await opened
    expect([move.offer?.gb, move.isReady]).toEqual(['5', true])
  })

  it('is ready for the next Enter once there is an offer, until the focus leaves or another amount is typed; nothing is sent', async () => {
    await move.open()
    move.gb = '5'
    const first = move.type()
    move.enter()
    expect(move.isReady).toBe(false)
    await program.held('offer_move')[0]?.answer(offer('5'))
    await first
    expect([move.isReady, program.count('confirm_move')]).toEqual([true, 0])
    move.leaveAmount()
    expect(move.isReady).toBe(false)
    program.answer('offer_move', ({ gb }) => offer(gb))
    move.gb = '50'
    await move.type()
    expect([move.offer?.gb, move.isReady]).toEqual(['50', false])
    await move.choose('10')
    expect([move.offer?.gb, move.isReady, program.count('confirm_move')]).toEqual(['10', true, 0])
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
    const checked = move.type()
    await program.held('offer_move')[0]?.refuse('invalid', { field: 'amount-gb', why: 'not-a-number' })
    await checked
    expect([move.wrong?.about.field, move.error]).toEqual(['amount-gb', null])
  })

  it('is sent once; the offer is spent by the press', async () => {
    program.answer('offer_move', ({ gb }) => offer(gb))
    await move.open()
    move.gb = '3'
    await move.type()
    const presses = Promise.all([move.confirm(), move.confirm()])
    expect([program.count('confirm_move'), move.sending, move.offer]).toEqual([1, true, null])
    await program.held('confirm_move')[0]?.answer(operation({ id: 'sent' }))
    expect(await presses).toEqual(['sent', null])
  })

  it('goes on with the same offer once the risk is accepted', async () => {
    program.answer('offer_move', ({ gb }) => offer(gb)).refuse('confirm_move', 'still-watched')
    await move.open()
    move.gb = '3'
    await move.type()
    await move.confirm()
    expect([move.mustBeSure, move.offer?.gb]).toEqual([true, '3'])
    move.anyway = true
    program.answer('confirm_move', operation({ id: 'sent' }))
    expect(await move.confirm()).toBe('sent')
    expect(program.last('confirm_move')).toEqual({ token: 'token 3', anyway: true })
  })
})
