import { beforeEach, describe, expect, it } from 'vitest'
import { APPLIED, operation } from '../../testing/operation'
import { Program, part, settled } from '../../testing/program'
import { Change } from './change.svelte'

let program: Program
beforeEach(() => {
  program = new Program().withoutOperations()
})

const draft = (customerId: string) => ({ change: 'status', customerId, active: false }) as const
beforeEach(() => program.answer('offer_change', part({ token: 'once' })))

describe('a change', () => {
  it('is sent once, however often it is pressed', async () => {
    const change = new Change(program.call)
    program.hold('offer_change')
    const presses = Promise.all([change.send(draft('7')), change.send(draft('7'))])
    expect([program.count('offer_change'), change.sending]).toEqual([1, true])
    program.answer('confirm_change', operation(APPLIED))
    await program.held('offer_change')[0]?.answer(part({ token: 'once' }))
    expect((await presses).map((one) => one?.state)).toEqual(['applied', undefined])
    expect([program.count('confirm_change'), change.sending]).toEqual([1, false])
  })

  it('is not sent again while what was sent is read', async () => {
    const change = new Change(program.call)
    program.answer('confirm_change', operation({ state: 'applied' })).hold('list_operations')
    const first = change.send(draft('7'))
    await settled()
    expect(program.held('list_operations')).toHaveLength(1)
    expect(await change.send(draft('7'))).toBeNull()
    await program.held('list_operations')[0]?.answer([])
    expect((await first)?.state).toBe('applied')
    expect([program.count('confirm_change'), change.sending]).toEqual([1, false])
  })

  it('goes on over a risk only where it was accepted, for this very change', async () => {
    const change = new Change(program.call)
    program.refuse('confirm_change', 'still-watched')
    await change.send(draft('7'))
    expect([change.mustBeSure, program.last('confirm_change')?.anyway]).toEqual([true, false])
    change.anyway = true
    expect(change.mustBeSure).toBe(false)
    await change.send(draft('8'))
    expect(program.last('confirm_change')?.anyway).toBe(false)
    change.anyway = true
    await change.send(draft('8'))
    expect(program.last('confirm_change')?.anyway).toBe(true)
  })

  it('reads what was sent, whatever went wrong', async () => {
    const change = new Change(program.call)
    program.refuse('confirm_change', 'no-answer')
    expect(await change.send(draft('7'))).toBeNull()
    expect([change.error?.code, program.count('list_operations')]).toEqual(['no-answer', 1])
  })

  it('says when no password could be made, without holding up the change', async () => {
    const change = new Change(program.call)
    program.refuse('generate_password', 'internal')
    expect(await change.generatePassword()).toBeNull()
    expect([change.error?.code, change.sending]).toEqual(['internal', false])
  })
})
