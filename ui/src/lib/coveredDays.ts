import type { UsageState } from '../bindings/UsageState'
import { daysFrom } from './days'

type Days = { from: string; to: string }
type Covered = Pick<UsageState, 'oldest' | 'through' | 'today'>

/**
 * The part of a span whose usage is read, both ends included; null: none of it is. Other days look unused. Today is read
 * as far as it goes; the last day of an earlier read was not over then, so it does not count.
 */
export function coveredDays(span: Days, { oldest, through, today }: Covered): Days | null {
  if (!oldest || !through) return null
  const from = span.from > oldest ? span.from : oldest
  const last = through < today ? daysFrom(through, -1) : through
  const to = span.to < last ? span.to : last
  return from <= to ? { from, to } : null
}

/** Whether the usage of every day of a span is read. */
export function isCovered(span: Days, state: Covered): boolean {
  const part = coveredDays(span, state)
  return part !== null && part.from === span.from && part.to === span.to
}
