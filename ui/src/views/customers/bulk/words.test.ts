import { beforeEach, describe, expect, it } from 'vitest'
import type { BulkCounts } from '../../../bindings/BulkCounts'
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftRow } from '../../../bindings/DraftRow'
import { Program, part } from '../../../testing/program'
import { bulkState, bulkTone, checkWords, sentRows } from './words'

const NONE = { waiting: 0, skipped: 0, underWay: 0, done: 0, notDone: 0, unconfirmed: 0, again: 0 }
const view = (state: BulkView['state'], counts: Partial<BulkCounts>) =>
  part<BulkView>({ state, rows: 61, counts: { ...NONE, ...counts } })

describe('the words for a bulk', () => {
  it('do not say that it has ended while a row is checked or not confirmed', () => {
    const cases = [
      [view('running', { underWay: 8, waiting: 53 }), 'running', 'working'],
      [view('paused', { waiting: 20, unconfirmed: 41 }), 'paused', 'waiting'],
      [view('finished', { done: 57, underWay: 3, unconfirmed: 1 }), 'finished-checking', 'working'],
      [view('finished', { done: 60, unconfirmed: 1 }), 'finished-open', 'waiting'],
      [view('finished', { done: 61 }), 'finished', 'done'],
      [view('finished', { done: 1, notDone: 1 }), 'finished-left', 'neutral'],
      [view('finished', { done: 1, skipped: 60 }), 'finished-left', 'neutral'],
    ] as const
    for (const [bulk, state, tone] of cases) expect([bulkState(bulk), bulkTone(bulk)]).toEqual([state, tone])
  })

  it('count no row that was left out as sent', () => {
    expect(sentRows(view('paused', { waiting: 20, skipped: 11, done: 30 }))).toEqual({ sent: 30, all: 50 })
  })
})

beforeEach(() => {
  new Program()
})
const row = (of: Partial<DraftRow>) => part<DraftRow>({ problem: null, near: null, text: '', ...of })

describe('what becomes of a row', () => {
  it('names both amounts where another one is sent than was written', () => {
    const nearest = row({ gb: '0.4883', mb: '500.0192', askedMb: '500' })
    expect(checkWords(nearest, 'recharge')).toBe('500 MB → 0.4883 GB (500.0192 MB)')
    expect(checkWords(row({ gb: '0.5', mb: '512', askedMb: null }), 'recharge')).toBe('Will be sent')
  })

  it('says how an amount came about that nobody wrote', () => {
    const usage = { basis: 'usage', aDay: '2048', days: 30, left: '512' } as const
    expect(checkWords(row({ gb: '59.5', basis: usage }), 'recharge')).toBe(
      '2.00 GB a day × 30 days − 0.50 GB left',
    )
    expect(checkWords(row({ basis: usage, problem: 'enough-left' }), 'recharge')).toBe(
      'Enough left until that day: 2.00 GB a day × 30 days − 0.50 GB left',
    )
    const unknown = { basis: 'too-little-usage' } as const
    expect(checkWords(row({ basis: unknown, problem: 'no-amount' }), 'recharge')).toBe(
      'Less than a week of usage. Enter an amount.',
    )
    expect(checkWords(row({ basis: unknown, problem: 'unknown' }), 'recharge')).toBe(
      'No such customer. Check the name or ID.',
    )
  })

  it('names the problem before anything else', () => {
    const tooMuch = row({ gb: '0.4883', mb: '500.0192', askedMb: '500', problem: 'beyond-left' })
    expect(checkWords(tooMuch, 'deduct')).toBe('More than the customer has left.')
  })
})
