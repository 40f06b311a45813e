/** The day at a glance: use of the last days, who runs out first, recent orders. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { CommandError } from '../../bindings/CommandError'
import type { DayUse } from '../../bindings/DayUse'
import type { RunningOut } from '../../bindings/RunningOut'
import { daysFrom } from '../../lib/format'
import { asCommandError, call, failure, onUsageProgress } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

/** Days that the chart shows. */
const DAYS = 30
/** Orders that are shown. */
const RECENT = 5

export class Overview {
  days = $state.raw<DayUse[] | null>(null)
  span = $state.raw<[string, string] | null>(null)
  out = $state.raw<RunningOut[] | null>(null)
  orders = $state.raw<BookedOrder[] | null>(null)
  usageError = $state<CommandError | null>(null)
  outError = $state<CommandError | null>(null)
  readonly reading = new Wait()
  private querying = false

  /** Shows what is kept, then brings it up to date. Returns how to leave. */
  watch(): () => void {
    void this.load()
    const listening = onUsageProgress(() => void this.query())
    return () => {
      this.reading.stop()
      void listening.then((stop) => stop())
    }
  }

  async load(): Promise<void> {
    this.usageError = null
    void this.readOrders()
    try {
      await this.query()
      await this.reading.run((signal) => call('usage_sync', null, signal))
      await this.query()
    } catch (thrown) {
      this.usageError = failure(thrown)
    }
    await this.readOut()
  }

  /** The newest pages come first: the days are right long before all is read. */
  private async query(): Promise<void> {
    if (this.querying) return
    this.querying = true
    try {
      const { today } = await call('usage_state', null)
      const from = daysFrom(today, 1 - DAYS)
      this.days = await call('usage_by_time', { from, to: today, customerId: null, unit: 'day' })
      this.span = [from, today]
    } finally {
      this.querying = false
    }
  }

  private async readOut(): Promise<void> {
    this.outError = null
    try {
      this.out = await call('running_out', null)
    } catch (thrown) {
      this.outError = asCommandError(thrown)
    }
  }

  private async readOrders(): Promise<void> {
    try {
      this.orders = (await call('list_orders', null)).slice(0, RECENT)
    } catch {
      // Activity tells what is wrong with the journal.
      this.orders = []
    }
  }
}
