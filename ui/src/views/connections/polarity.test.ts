import { beforeEach, describe, expect, it } from 'vitest'
import type { Customer } from '../../bindings/Customer'
import { operation } from '../../testing/operation'
import { Program, part } from '../../testing/program'
import { Polarity } from './polarity.svelte'

let program: Program
beforeEach(() => {
  program = new Program().withoutOperations()
})

beforeEach(() => {
  program.answer('read_customers', part({}))
  program.answer('list_customers', [part<Customer>({ customerId: '7', userName: 'Anna' })])
})

describe('the check of 0 and 1', () => {
  it('sends nothing for a name that nobody has', async () => {
    const polarity = new Polarity(program.call)
    polarity.name = 'Bert'
    await polarity.send()
    expect([polarity.unknown, polarity.step, program.count('offer_change')]).toEqual([true, 'who', 0])
  })

  it('disables once, however often it is pressed', async () => {
    const polarity = new Polarity(program.call)
    polarity.name = 'Anna'
    program
      .answer('offer_change', part({ token: 'a' }))
      .answer('confirm_change', operation({ state: 'applied' }))
    await Promise.all([polarity.send(), polarity.send()])
    expect([program.count('read_customers'), program.count('confirm_change')]).toEqual([1, 1])
  })

  it('asks what happened only once the vendor accepted it', async () => {
    program.answer('offer_change', part({ token: 'a' }))
    for (const [state, step] of [
      ['applied', 'question'],
      ['unknown', 'not-known'],
      ['rejected', 'not-done'],
    ] as const) {
      const polarity = new Polarity(program.call)
      polarity.name = ' anna '
      program.answer('confirm_change', operation({ state }))
      await polarity.send()
      expect(polarity.step).toBe(step)
    }
  })

  it('records what the user saw, and reverses the setting only where it is wrong', async () => {
    program
      .answer('offer_change', part({ token: 'a' }))
      .answer('confirm_change', operation({ id: 'sent', state: 'applied' }))
      .answer('polarity_checked', null)
    for (const [works, step, turned] of [
      [false, 'right', 0],
      [true, 'wrong', 1],
    ] as const) {
      const polarity = new Polarity(program.call)
      polarity.name = 'Anna'
      await polarity.send()
      let turns = 0
      await polarity.answer(works, async () => {
        turns++
        return true
      })
      expect([polarity.step, turns]).toEqual([step, turned])
      expect(program.last('polarity_checked')).toEqual({ operation: 'sent', works })
    }
    program.refuse('polarity_checked', 'journal')
    const polarity = new Polarity(program.call)
    polarity.name = 'Anna'
    await polarity.send()
    await polarity.answer(true, async () => true)
    expect([polarity.step, polarity.error?.code]).toEqual(['question', 'journal'])
  })
})
