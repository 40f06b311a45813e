/** First and last day of what is looked at, typed or chosen. */
import { daysFrom, isDay } from '../../lib/days'
import { t } from '../../lib/i18n.svelte'

/** Spans that one press chooses, in days. */
export const SPANS = [7, 30, 90, 365] as const

export class Span {
  from = $state('')
  to = $state('')
  readonly fromError = $derived(this.from && !isDay(this.from) ? t('invalid.not-a-day') : '')
  readonly toError = $derived.by(() => {
    if (this.to && !isDay(this.to)) return t('invalid.not-a-day')
    return this.from && this.to && !this.fromError && this.from > this.to ? t('invalid.before-from') : ''
  })
  readonly fits = $derived(!this.fromError && !this.toError)
  /** The last days that were asked for, and the ends that they had. */
  private latest = { days: 30, from: '', to: '' }

  /** The last days, today included. */
  last(days: number, today: string): void {
    this.from = daysFrom(today, 1 - days)
    this.to = today
    this.latest = { days, from: this.from, to: today }
  }

  /** Shows the last days as of today, unless other ends were typed or chosen: thirty to begin with. */
  follow(today: string): void {
    const { days, from, to } = this.latest
    if (this.from === from && this.to === to) this.last(days, today)
  }
}
