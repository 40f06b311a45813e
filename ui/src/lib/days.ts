/** Calendar days, written `yyyy-MM-dd`. */
import { CalendarDate, parseDate } from '@internationalized/date'

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

/** Returns the day of this computer at a time in ms since 1970. */
export function dayHere(millis: number): string {
  const now = new Date(millis)
  return new CalendarDate(now.getFullYear(), now.getMonth() + 1, now.getDate()).toString()
}

/** Returns the first day of the month that is `count` months after that of a day, or before if it is negative. */
export function monthFrom(day: string, count: number): string {
  return parseDate(day).set({ day: 1 }).add({ months: count }).toString()
}
