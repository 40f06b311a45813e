import { describe, expect, it } from 'vitest'
import { dayHere, daysBetween, daysFrom, isDay, monthFrom } from './days'

describe('days', () => {
  it.each([
    ['2026-02-28', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2026-1-5', false],
    ['2026-01-05T00:00', false],
    ['soon', false],
    ['', false],
  ])('%s is one of the calendar: %s', (text, is) => {
    expect(isDay(text)).toBe(is)
  })

  it.each([
    ['2026-03-01', -1, '2026-02-28'],
    ['2026-12-31', 1, '2027-01-01'],
    // In many places these spans contain a day of 23 or of 25 hours.
    ['2026-03-28', 2, '2026-03-30'],
    ['2026-10-26', -2, '2026-10-24'],
    ['2026-03-31', -364, '2025-04-01'],
  ])('%s and %i days are %s', (from, count, to) => {
    expect([daysFrom(from, count), daysBetween(from, to)]).toEqual([to, count])
  })

  it.each([
    ['2026-03-31', 0, '2026-03-01'],
    ['2026-03-31', -1, '2026-02-01'],
    ['2026-12-05', 1, '2027-01-01'],
  ])('the month of %s and %s is that of %s', (day, count, first) => {
    expect(monthFrom(day, count)).toBe(first)
  })

  it('is that of this computer', () => {
    expect(dayHere(new Date(2026, 10, 22, 23, 59).getTime())).toBe('2026-11-22')
  })
})
