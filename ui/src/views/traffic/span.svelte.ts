/** The first and last day of a view, typed or chosen. Empty: open at this end. */
import { daysFrom, isDay } from '../../lib/days'
import { t } from '../../lib/i18n.svelte'

/** Spans offered as buttons, in days. */
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
  /** The span of last days that was chosen, with its ends. */
  private latest = { days: 30, from: '', to: '' }

  /** Chooses the last days, including today. */
  last(days: number, today: string): void {
    this.from = daysFrom(today, 1 - days)
    this.to = today
    this.latest = { days, from: this.from, to: today }
  }

  /** Moves a span of last days (at first thirty) to today, unless other ends were typed or chosen. */
  follow(today: string): void {
    const { days, from, to } = this.latest
    if (this.from === from && this.to === to) this.last(days, today)
  }
}
