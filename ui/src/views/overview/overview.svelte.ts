/** The day at a glance: use of the last days, who runs out first, recent orders. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { DayUse } from '../../bindings/DayUse'
import type { Outlook } from '../../bindings/Outlook'
import { daysFrom } from '../../lib/days'
import { Reading } from '../../lib/figures.svelte'
import { type Call, onUsageProgress } from '../../lib/ipc'
import { Resource, Work } from '../../lib/resource.svelte'

/** Days that the chart shows. */
const DAYS = 30
/** Days that the outlook looks back on. */
const WEEKS_BACK = 56
/** Orders that are shown. */
const RECENT = 5

type Use = { days: DayUse[]; span: [string, string] }

export class Overview {
  /** Use of the last days, as it is kept here. */
  private readonly use = new Resource<Use | null>(null, { quiet: true })
  /** The reading from the vendor. */
  readonly reading = new Work()
  readonly out = new Resource<Outlook | null>(null)
  readonly orders = new Resource<BookedOrder[] | null>(null)
  readonly days = $derived(this.use.value?.days ?? null)
  readonly span = $derived(this.use.value?.span ?? null)
  readonly usageError = $derived(this.reading.error ?? this.use.error)
  /** What customers have left, and the orders, as they were read here. */
  readonly left = new Reading('customers')
  readonly bought = new Reading('orders')
  private gone = false
  private outAsked = false

  constructor(private readonly call: Call) {}

  /** Shows what is kept, then brings it up to date. Returns how to leave. */
  watch(): () => void {
    this.gone = false
    void this.load()
    const listening = onUsageProgress(() => void this.query())
    return () => {
      this.gone = true
      this.reading.stop()
      void listening.then((stop) => stop())
    }
  }

  async load(): Promise<void> {
    this.reading.error = null
    void this.readOrders()
    this.outAsked = false
    await this.query()
    if (await this.reading.attempt((signal) => this.call('usage_sync', null, signal))) await this.query()
    if (!this.gone) await this.readOut()
  }

  /** The newest pages come first: the days are right long before all is read. */
  private async query(): Promise<void> {
    await this.use.askInTurn(async () => {
      const { today, oldest } = await this.call('usage_state', null)
      const from = daysFrom(today, 1 - DAYS)
      const days = await this.call('usage_by_time', { from, to: today, customerId: null, unit: 'day' })
      // The weeks that matter are there: no need to wait for the years before them.
      if (oldest && oldest <= daysFrom(today, -WEEKS_BACK) && !this.outAsked && !this.gone)
        void this.readOut()
      return { days, span: [oldest && oldest > from ? oldest : from, today] }
    })
  }

  async readOut(): Promise<void> {
    this.outAsked = true
    // Who follows the outlook sees at once that it is new.
    await this.out.ask(() => this.call('running_out', null), this.left.begin())
  }

  async readOrders(): Promise<void> {
    await this.bought.run(() =>
      this.orders.ask(async () => (await this.call('list_orders', null)).slice(0, RECENT)),
    )
  }
}
