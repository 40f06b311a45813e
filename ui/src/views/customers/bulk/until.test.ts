import { describe, expect, it } from 'vitest'
import type { UsageState } from '../../../bindings/UsageState'
import { Program, part } from '../../../testing/program'
import { Until } from './until.svelte'

describe('the day to top up for', () => {
  it('is at first the end of the month, or of the next one if that is near', async () => {
    for (const [today, day] of [
      ['2026-11-10', '2026-11-30'],
      ['2026-11-27', '2026-11-30'],
      ['2026-11-28', '2026-12-31'],
      ['2028-02-01', '2028-02-29'],
      ['2026-12-31', '2027-01-31'],
    ] as const) {
      const until = new Until(new Program().answer('usage_state', part<UsageState>({ today })).call)
      await until.suggest()
      expect([today, until.day, until.isDay]).toEqual([today, day, true])
    }
  })

  it('stays as it was typed, and may be missing', async () => {
    const program = new Program().answer('usage_state', part<UsageState>({ today: '2026-11-10' }))
    const until = new Until(program.call)
    until.day = 'soon'
    await until.suggest()
    expect([until.day, until.isDay]).toEqual(['soon', false])
    const other = new Until(new Program().refuse('usage_state', 'internal').call)
    await other.suggest()
    expect([other.day, other.isDay]).toEqual(['', false])
  })
})
