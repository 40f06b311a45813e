import { beforeEach, describe, expect, it } from 'vitest'
import type { Customer } from '../../bindings/Customer'
import { operation } from '../../testing/operation'
import { commandError, Program, part } from '../../testing/program'
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

  it('records what the user saw, and has the connection set as the vendor means it', async () => {
    program
      .answer('offer_change', part({ token: 'a' }))
      .answer('confirm_change', operation({ id: 'sent', state: 'applied' }))
      .answer('polarity_checked', ({ works }) => (works ? 'zero-is-active' : 'one-is-active'))
    const begun = async () => {
      const polarity = new Polarity(program.call)
      polarity.name = 'Anna'
      await polarity.send()
      return polarity
    }
    for (const [works, step, found] of [
      [false, 'right', 'one-is-active'],
      [true, 'wrong', 'zero-is-active'],
    ] as const) {
      const polarity = await begun()
      const kept: string[] = []
      await polarity.answer(works, async (meaning) => void kept.push(meaning))
      expect([polarity.step, kept]).toEqual([step, [found]])
      expect(program.last('polarity_checked')).toEqual({ operation: 'sent', works })
    }
    const polarity = await begun()
    await polarity.answer(true, async () => {
      throw commandError('journal')
    })
    expect([polarity.step, polarity.error?.code]).toEqual(['question', 'journal'])
  })
})
