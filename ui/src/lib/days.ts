/** Days of the calendar, written `yyyy-MM-dd`. */
import { type CalendarDate, parseDate } from '@internationalized/date'

/** Reads a typed text; null: it is no day of the calendar. */
export function readDay(text: string): CalendarDate | null {
  try {
    return parseDate(text)
  } catch {
    return null
  }
}

/** Whether a typed text is a day of the calendar. */
export function isDay(text: string): boolean {
  return readDay(text) !== null
}

/** The day so many days later; earlier where `count` is negative. */
export function daysFrom(day: string, count: number): string {
  return parseDate(day).add({ days: count }).toString()
}

/** Whole days from one day to another; negative where the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return parseDate(to).compare(parseDate(from))
}
