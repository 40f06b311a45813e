/** The day at a glance: use of the last days, who runs out first, recent orders. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { CommandError } from '../../bindings/CommandError'
import type { DayUse } from '../../bindings/DayUse'
import type { Outlook } from '../../bindings/Outlook'
import { Reading } from '../../lib/figures.svelte'
import { daysFrom } from '../../lib/format'
import { asCommandError, call, failure, onUsageProgress } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

/** Days that the chart shows. */
const DAYS = 30
/** Days that the outlook looks back on. */
const WEEKS_BACK = 56
/** Orders that are shown. */
const RECENT = 5

export class Overview {
  days = $state.raw<DayUse[] | null>(null)
  span = $state.raw<[string, string] | null>(null)
  out = $state.raw<Outlook | null>(null)
  orders = $state.raw<BookedOrder[] | null>(null)
  usageError = $state<CommandError | null>(null)
  outError = $state<CommandError | null>(null)
  readonly reading = new Wait()
  /** What customers have left, and the orders, as they were read here. */
  readonly left = new Reading('customers')
  readonly bought = new Reading('orders')
  ordersError = $state<CommandError | null>(null)
  private querying = false
  private again = false
  private gone = false
  private outAsked = false

  /** Shows what is kept, then brings it up to date. Returns how to leave. */
  watch(): () => void {
    void this.load()
    const listening = onUsageProgress(() => void this.query())
    return () => {
      this.gone = true
      this.reading.stop()
      void listening.then((stop) => stop())
    }
  }

  async load(): Promise<void> {
    this.usageError = null
    void this.readOrders()
    this.outAsked = false
    try {
      await this.query()
      await this.reading.run((signal) => call('usage_sync', null, signal))
      await this.query()
    } catch (thrown) {
      this.usageError = failure(thrown)
    }
    if (!this.gone) await this.readOut()
  }

  /** The newest pages come first: the days are right long before all is read. */
  private async query(): Promise<void> {
    if (this.querying) {
      this.again = true
      return
    }
    this.querying = true
    try {
      const { today, oldest } = await call('usage_state', null)
      const from = daysFrom(today, 1 - DAYS)
      this.days = await call('usage_by_time', { from, to: today, customerId: null, unit: 'day' })
      this.span = [oldest && oldest > from ? oldest : from, today]
      // The weeks that matter are there: no need to wait for the years behind them.
      if (oldest && oldest <= daysFrom(today, -WEEKS_BACK) && !this.outAsked && !this.gone)
        void this.readOut()
    } catch (thrown) {
      this.usageError = asCommandError(thrown)
    } finally {
      this.querying = false
    }
    if (this.again) {
      this.again = false
      await this.query()
    }
  }

  async readOut(): Promise<void> {
    this.outAsked = true
    this.outError = null
    try {
      this.out = await this.left.run(() => call('running_out', null))
    } catch (thrown) {
      this.outError = asCommandError(thrown)
    }
  }

  async readOrders(): Promise<void> {
    this.ordersError = null
    try {
      this.orders = (await this.bought.run(() => call('list_orders', null))).slice(0, RECENT)
    } catch (thrown) {
      this.ordersError = asCommandError(thrown)
    }
  }
}
