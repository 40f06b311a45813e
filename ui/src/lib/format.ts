/** Numbers and times in the user's language. Amounts stay strings and never become binary floats. */
import { isDay } from './days'
import { gbFactor } from './gbFactor.svelte'
import { type Language, language } from './i18n.svelte'
import { vendorZone } from './vendorZone.svelte'

/** Caches a formatter per language: creating one costs more than a hundred uses. */
function kept<T>(make: (locale: Language) => T): (locale: Language) => T {
  const all = new Map<Language, T>()
  return (locale) => {
    const known = all.get(locale) ?? make(locale)
    all.set(locale, known)
    return known
  }
}
const wholes = kept((locale) => new Intl.NumberFormat(locale))
const moments = kept(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
)

const minutes = kept((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))

const times = kept((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))

const lists = kept((locale) => new Intl.ListFormat(locale))

const regions = kept((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }))

const days = kept((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))

const shortDates = kept((locale) => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }))

const shortDays = kept(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
)

const collators = kept((locale) => new Intl.Collator(locale))

/** Compares names as the language orders them. */
export function byName(one: string, other: string): number {
  return collators(language()).compare(one, other)
}

/** Formats a decimal string exactly, with the language's grouping and at least `digits` decimals. */
export function decimal(exact: string, digits = 0, locale: Language = language()): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(exact) ?? []
  const grouped = wholes(locale).format(BigInt(whole))
  const decimals = fraction.padEnd(digits, '0')
  return `${sign}${grouped}${decimals ? `.${decimals}` : ''}`
}

/** Formats money, with at least two decimals and the currency after it. */
export function money(exact: string, currency: string, locale: Language = language()): string {
  return `${decimal(exact, 2, locale)} ${currency}`.trim()
}

/** Returns the exact difference of two decimal strings. */
export function difference(after: string, before: string): string {
  const places = Math.max(decimals(after), decimals(before))
  const scaled = toScaled(after, places) - toScaled(before, places)
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, '0')
  const cut = digits.length - places
  const text = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
  return scaled < 0n ? `-${text}` : text
}

function decimals(exact: string): number {
  return exact.split('.')[1]?.length ?? 0
}

function toScaled(exact: string, places: number): bigint {
  const [whole = '0', fraction = ''] = exact.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** Formats traffic given in MB: in GB, with two decimals, rounded half up; in MB where that is less than 0.01 GB. */
export function traffic(mb: string, locale: Language = language()): string {
  const hundredths = toScaled(mb, Math.max(decimals(mb), 2))
  const scale = 10n ** BigInt(Math.max(decimals(mb), 2))
  const size = hundredths < 0n ? -hundredths : hundredths
  const mbInGb = gbFactor()
  // A column in two units cannot be compared at a glance: MB are for less than 0.01 GB.
  const inGb = size === 0n || size * 100n >= mbInGb * scale
  const unit = inGb ? mbInGb * scale : scale
  const rounded = (size * 100n + unit / 2n) / unit
  const text = `${rounded / 100n}.${String(rounded % 100n).padStart(2, '0')}`
  return `${decimal(hundredths < 0n && rounded > 0n ? `-${text}` : text, 2, locale)} ${inGb ? 'GB' : 'MB'}`
}

/** Returns the name of a country from its two letters; what is no such code stays as it is. */
export function countryOfCode(code: string, locale: Language = language()): string {
  return /^[A-Z]{2}$/.test(code) ? (regions(locale).of(code) ?? code) : code
}

/** Formats a calendar day, `yyyy-MM-dd`. */
export function calendarDay(day: string, locale: Language = language()): string {
  return days(locale).format(Date.parse(`${day}T00:00:00Z`))
}

/** Formats a calendar day, `yyyy-MM-dd`, without its year. */
export function shortDay(day: string, locale: Language = language()): string {
  return shortDays(locale).format(Date.parse(`${day}T00:00:00Z`))
}

/** Formats a time, in ms since 1970, as date and time to the second. */
export function moment(millis: number, locale: Language = language()): string {
  return moments(locale).format(millis)
}

/** Formats a time, in ms since 1970, as date and time to the minute, for lists. */
export function shortMoment(millis: number, locale: Language = language()): string {
  return minutes(locale).format(millis)
}

/** Formats the day of a time, in ms since 1970, without its year. */
export function shortDate(millis: number, locale: Language = language()): string {
  return shortDates(locale).format(millis)
}

/** A time without a zone, as the vendor writes it: `yyyy-MM-dd HH:mm:ss`. */
const CIVIL = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?$/

/** Returns the time that the vendor wrote, in ms since 1970; null: it cannot be read. */
export function vendorMillis(text: string, zone = vendorZone()): number | null {
  const [, day = '', time = ''] = CIVIL.exec(text.trim()) ?? []
  // Days that no calendar has are not turned into others.
  const millis = isDay(day) ? Date.parse(`${day}T${time}Z`) : Number.NaN
  return Number.isNaN(millis) ? null : millis - zone * 60_000
}

/** Formats a time that the vendor wrote in the time of this computer. A text that cannot be read stays as it came. */
export function vendorMoment(text: string, format: (millis: number) => string = moment): string {
  const millis = vendorMillis(text)
  return millis === null ? text : format(millis)
}

/** The time of this computer at which the vendor's days begin; null: at midnight here too. */
export function vendorMidnight(now: number, locale: Language = language()): string | null {
  const begun = vendorMillis(`${new Date(now + vendorZone() * 60_000).toISOString().slice(0, 10)} 00:00`)
  if (begun === null) return null
  const here = new Date(begun)
  return here.getHours() === 0 && here.getMinutes() === 0 ? null : times(locale).format(begun)
}

/** Formats a duration in ms as minutes and seconds: `4:07`. */
export function clock(millis: number): string {
  const seconds = Math.max(0, Math.ceil(millis / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Returns the name in the user's language, or the other one if it is empty. */
export function named(of: { nameZh: string; nameEn: string }, locale: Language = language()): string {
  return (locale === 'zh-CN' ? of.nameZh || of.nameEn : of.nameEn || of.nameZh) || ''
}

/** A list in words, as in "A, B and C". */
export function list(words: string[]): string {
  return lists(language()).format(words)
}

/** The address of an IP. The vendor's own list may report no port: null, or 0. */
export function addressOf({ host, port }: { host: string; port: number | null }): string {
  if (!port) return host
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
