import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { APPLIED, operation, UNKNOWN } from '../testing/operation'
import { commandError, Program, settled } from '../testing/program'
import { gbFactor, useGbFactor } from './gbFactor.svelte'
import { notices } from './notices.svelte'
import { Operations } from './operations.svelte'

let program: Program
let operations: Operations
beforeEach(() => {
  program = new Program()
  program.answer('operations_touched', { position: 0, rows: [], openBulks: [] }).answer('gb_factor', 1024)
  operations = new Operations(program.call)
  notices.error = null
})

describe('operations', () => {
  it('are those of the newest answer, whatever comes late', async () => {
    const first = operations.read()
    const second = operations.read()
    const [early, late] = program.held('list_operations')
    await late?.answer([operation({ id: 'new' })])
    await early?.answer([operation({ id: 'old' })])
    await Promise.all([first, second])
    expect(operations.all.map((one) => one.id)).toEqual(['new'])
  })

  it('are none of a connection that was left', async () => {
    const read = operations.read()
    operations.forget()
    await program.held('list_operations')[0]?.answer([operation({ id: 'old' })])
    await read
    expect([operations.all, operations.isRead]).toEqual([[], false])
  })

  it('bring the GB factor of their own connection, not of one that was left', async () => {
    useGbFactor(1024)
    program.answer('list_operations', []).hold('gb_factor')
    const left = operations.read()
    await settled()
    operations.forget()
    await program.held('gb_factor')[0]?.answer(1000)
    await left
    expect(gbFactor()).toBe(1024n)
    const read = operations.read()
    await settled()
    await program.held('gb_factor')[0]?.answer(1000)
    await read
    expect(gbFactor()).toBe(1000n)
    useGbFactor(1024)
  })

  it('stay on screen when they cannot be read, and it is said', async () => {
    program.answer('list_operations', [operation({ id: 'one' })])
    await operations.read()
    program.refuse('list_operations', 'journal')
    await operations.read()
    expect([operations.all.length, notices.error?.code]).toEqual([1, commandError('journal').code])
  })

  it('that may have happened hold the wallet and wait for somebody', async () => {
    program.answer('list_operations', [
      operation({ ...APPLIED, id: 'a' }),
      operation({ ...UNKNOWN, id: 'b', nextAt: 9 }),
      operation({ ...UNKNOWN, id: 'c', state: 'needs-you', kind: 'recharge' }),
      // After a start nothing repeats a payment by itself.
      operation({ ...UNKNOWN, id: 'd', nextAt: null }),
      operation({ ...UNKNOWN, id: 'e', nextAt: 9, needsToken: true }),
    ])
    await operations.read()
    expect(operations.openOrder?.id).toBe('b')
    expect(operations.unconfirmed.map((one) => one.id)).toEqual(['b', 'c', 'd', 'e'])
    expect(operations.waiting.map((one) => one.id)).toEqual(['c', 'd', 'e'])
  })

  describe('with a clock', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('are read at once, and once more for all that changed meanwhile', async () => {
      program.answer('list_operations', [])
      const { tell } = program
      await operations.watch()
      const changed = () =>
        Promise.all([tell.call(program, 'operation-changed'), vi.advanceTimersByTimeAsync(1)])
      for (let change = 0; change < 5; change++) await changed()
      expect(program.count('list_operations')).toBe(1)
      await vi.advanceTimersByTimeAsync(200)
      expect(program.count('list_operations')).toBe(2)
      await vi.advanceTimersByTimeAsync(1000)
      expect(program.count('list_operations')).toBe(2)
    })
  })
})
