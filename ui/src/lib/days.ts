/** Calendar days, written `yyyy-MM-dd`. */
import { type CalendarDate, parseDate } from '@internationalized/date'

/** Parses typed text; null: it is not a calendar day. */
export function readDay(text: string): CalendarDate | null {
  try {
    return parseDate(text)
  } catch {
    return null
  }
}

/** Whether typed text is a calendar day. */
export function isDay(text: string): boolean {
  return readDay(text) !== null
}

/** Returns the day `count` days later, or earlier if `count` is negative. */
export function daysFrom(day: string, count: number): string {
  return parseDate(day).add({ days: count }).toString()
}

/** Returns the days from one day to another; negative if the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return parseDate(to).compare(parseDate(from))
}
