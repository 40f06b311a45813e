import type { UsageState } from '../bindings/UsageState'

type Days = { from: string; to: string }

/** The part of a span whose usage is completely read, both ends included; null: none of it is. Other days look unused. */
export function coveredDays(
  span: Days,
  { oldest, through }: Pick<UsageState, 'oldest' | 'through'>,
): Days | null {
  if (!oldest || !through) return null
  const from = span.from > oldest ? span.from : oldest
  const to = span.to < through ? span.to : through
  return from <= to ? { from, to } : null
}
