import { beforeEach, describe, expect, it } from 'vitest'
import type { Touch } from '../bindings/Touch'
import { Program } from '../testing/program'
import { figures, Reading } from './figures.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const touch = (of: Partial<Touch>): Touch => ({
  kind: 'recharge',
  state: 'sending',
  wasSent: true,
  hasEnded: false,
  target: '7',
  bulk: null,
  at: 5,
  ...of,
})
const APPLIED = { state: 'applied', hasEnded: true } as const
const hear = async (position: number, rows: Touch[], openBulks: string[] = []) => {
  program.answer('operations_touched', { position, rows, openBulks })
  await figures.follow()
}
beforeEach(() => figures.forget())

describe('figures', () => {
  it('are old once something was sent that they do not know, and due once it has ended', async () => {
    await hear(4, [])
    const reading = new Reading('customers')
    await hear(5, [touch({})])
    expect([reading.isOld, reading.due]).toEqual([true, null])
    await hear(6, [touch({ ...APPLIED, at: 6 })])
    expect(reading.due).toBe(6)
    await reading.run(async () => 'read')
    expect([reading.isOld, reading.due]).toEqual([false, null])
  })

  it('stay as old as they were when they could not be read', async () => {
    await hear(4, [])
    const reading = new Reading('customers')
    await hear(5, [touch(APPLIED)])
    await reading.run(async () => undefined)
    expect(reading.due).toBe(5)
  })

  it('are old of the one customer that was touched, and of no other', async () => {
    await hear(5, [touch({ target: '7' })])
    expect([figures.isOld('customers', 4, '7'), figures.isOld('customers', 4, '8')]).toEqual([true, false])
  })

  it('are not touched by what never left', async () => {
    await hear(5, [touch({ state: 'not-sent', wasSent: false, hasEnded: true })])
    expect(figures.isOld('customers', 4)).toBe(false)
  })

  it('wait for the end of a bulk', async () => {
    await hear(5, [touch({ ...APPLIED, bulk: 'b' })], ['b'])
    expect(figures.due('customers', 4)).toBeNull()
    await hear(6, [])
    expect(figures.due('customers', 4)).toBe(5)
  })

  it('hear nothing of a connection that was left', async () => {
    program.hold('operations_touched')
    const following = figures.follow()
    figures.forget()
    await program.held('operations_touched')[0]?.answer({ position: 9, rows: [touch({})], openBulks: [] })
    await following
    expect(figures.position).toBe(-1)
  })
})
