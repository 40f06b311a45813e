/** The first and last day of a view, typed or chosen. Empty: open at this end. */
import { daysFrom, isDay, monthFrom } from '../../lib/days'
import { t } from '../../lib/i18n.svelte'

/** Spans offered as buttons, in days. */
export const SPANS = [7, 30, 90, 365] as const

/** What is wrong about a day; empty: nothing, or there is none. */
function wrongDay(text: string): string {
  if (!text || isDay(text)) return ''
  return t(/^\d{4}-\d{2}-\d{2}$/.test(text) ? 'invalid.no-such-day' : 'invalid.not-a-day')
}

export class Span {
  from = $state('')
  to = $state('')
  readonly fromError = $derived(wrongDay(this.from))
  readonly toError = $derived.by(() => {
    const wrong = wrongDay(this.to)
    if (wrong) return wrong
    return this.from && this.to && !this.fromError && this.from > this.to ? t('invalid.before-from') : ''
  })
  readonly fits = $derived(!this.fromError && !this.toError)
  /** Today, in the vendor's zone; empty: not known yet. */
  today = $state('')
  /** How the span was chosen, with its ends. */
  private latest = { choose: (): void => this.last(30), from: '', to: '' }

  /** Chooses the last days, including today. */
  last(days: number): void {
    this.choose(daysFrom(this.today, 1 - days), this.today, () => this.last(days))
  }

  /** Chooses a whole month, `back` months ago; this one up to today. */
  month(back: number): void {
    const next = monthFrom(this.today, 1 - back)
    const to = back === 0 ? this.today : daysFrom(next, -1)
    this.choose(monthFrom(this.today, -back), to, () => this.month(back))
  }

  /** Moves days that were chosen by a button (at first the last thirty) on to today, unless others were typed. */
  follow(today: string): void {
    this.today = today
    const { choose, from, to } = this.latest
    if (this.from === from && this.to === to) choose()
  }

  /** Opens both ends. */
  clear(): void {
    this.from = ''
    this.to = ''
  }

  private choose(from: string, to: string, choose: () => void): void {
    this.from = from
    this.to = to
    this.latest = { choose, from, to }
  }
}
