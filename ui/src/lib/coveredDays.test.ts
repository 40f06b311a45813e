import { describe, expect, it } from 'vitest'
import { coveredDays, isCovered } from './coveredDays'

describe('the days whose usage is read', () => {
  const state = { oldest: '2026-03-01', through: '2026-03-20', today: '2026-03-20' }
  const cases: [string, [string, string], [string, string] | null][] = [
    ['all of a span', ['2026-03-05', '2026-03-06'], ['2026-03-05', '2026-03-06']],
    ['the end of a span that begins before them', ['2026-02-05', '2026-03-06'], ['2026-03-01', '2026-03-06']],
    ['those up to today', ['2026-03-05', '2026-04-03'], ['2026-03-05', '2026-03-20']],
    ['none of a span after them', ['2026-03-21', '2026-04-03'], null],
    ['none of a span before them', ['2026-01-21', '2026-02-28'], null],
  ]
  it.each(cases)('are %s', (_, [from, to], expected) => {
    expect(coveredDays({ from, to }, state)).toEqual(expected && { from: expected[0], to: expected[1] })
    expect(isCovered({ from, to }, state)).toBe(expected?.[0] === from && expected[1] === to)
  })

  it('end before the day of the last read, which was not over then', () => {
    const span = { from: '2026-03-05', to: '2026-03-25' }
    expect(coveredDays(span, { ...state, today: '2026-03-25' })).toEqual({ ...span, to: '2026-03-19' })
  })

  it('are none before anything is read', () => {
    const nothing = { oldest: null, through: null, today: '2026-03-20' }
    expect(coveredDays({ from: '2026-03-05', to: '2026-03-06' }, nothing)).toBeNull()
  })
})
