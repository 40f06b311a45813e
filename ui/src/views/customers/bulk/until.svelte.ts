/** The day until which selected customers are topped up. */
import { daysBetween, daysFrom, isDay, monthFrom } from '../../../lib/days'
import type { Call } from '../../../lib/ipc'
import { Work } from '../../../lib/resource.svelte'

/** Days from which the end of a month is worth a top-up. */
const SOON = 3

export class Until {
  /** Whether the amounts are calculated for a day, instead of being the same for each. */
  on = $state(false)
  /** The last day, as typed. */
  day = $state('')
  readonly isDay = $derived(isDay(this.day))

  constructor(private readonly call: Call) {}

  /** Suggests the end of this month in the vendor's zone, or of the next one if that is near. */
  async suggest(): Promise<void> {
    if (this.day) return
    await new Work().attempt(async () => {
      const { today } = await this.call('usage_state', null)
      const end = daysFrom(monthFrom(today, 1), -1)
      this.day ||= daysBetween(today, end) < SOON ? daysFrom(monthFrom(today, 2), -1) : end
    })
  }
}
