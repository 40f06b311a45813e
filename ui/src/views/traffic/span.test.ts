import { describe, expect, it } from 'vitest'
import { Span } from './span.svelte'

describe('a span', () => {
  it('includes today', () => {
    const span = new Span()
    span.today = '2026-03-03'
    span.last(7)
    expect([span.from, span.to, span.fits]).toEqual(['2026-02-25', '2026-03-03', true])
  })

  it('follows the day until another end is chosen', () => {
    const span = new Span()
    span.follow('2026-03-31')
    expect([span.from, span.to]).toEqual(['2026-03-02', '2026-03-31'])
    span.last(7)
    span.follow('2026-04-01')
    expect([span.from, span.to]).toEqual(['2026-03-26', '2026-04-01'])
    span.from = ''
    span.follow('2026-04-02')
    expect([span.from, span.to]).toEqual(['', '2026-04-01'])
  })

  it.each([
    ['2026-03-31', 0, '2026-03-01', '2026-03-31'],
    ['2026-03-31', 1, '2026-02-01', '2026-02-28'],
    ['2026-01-05', 1, '2025-12-01', '2025-12-31'],
  ])('on %s, %s months back, is %s to %s', (today, back, from, to) => {
    const span = new Span()
    span.today = today
    span.month(back)
    expect([span.from, span.to]).toEqual([from, to])
  })

  it('of this month grows with it, and becomes the next', () => {
    const span = new Span()
    span.follow('2026-03-30')
    span.month(0)
    span.follow('2026-03-31')
    expect([span.from, span.to]).toEqual(['2026-03-01', '2026-03-31'])
    span.follow('2026-04-01')
    expect([span.from, span.to]).toEqual(['2026-04-01', '2026-04-01'])
  })

  it('is refused where it is no day, or ends before it begins', () => {
    const span = new Span()
    span.from = '2026-02-30'
    expect([span.fits, span.fromError !== '']).toEqual([false, true])
    span.from = '2026-03-05'
    span.to = '2026-03-04'
    expect([span.fits, span.fromError, span.toError !== '']).toEqual([false, '', true])
  })
})
