/** The overview: recent use, the customers who run out first, recent orders. */
import { SvelteMap } from 'svelte/reactivity'
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { DayUse } from '../../bindings/DayUse'
import type { GoodsDue } from '../../bindings/GoodsDue'
import type { Outlook } from '../../bindings/Outlook'
import type { RunningOut } from '../../bindings/RunningOut'
import { coveredDays, isCovered } from '../../lib/coveredDays'
import { daysFrom } from '../../lib/days'
import { Reading } from '../../lib/figures.svelte'
import { type Call, onIpsChanged, onOrderChanged } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import { usageReading } from '../../lib/usageReading.svelte'

/** Days in the chart. */
const DAYS = 30
/** Days of use that the outlook is based on. */
const WEEKS_BACK = 56
/** The most orders shown. */
const RECENT = 5

/** A customer in the list of those who run out. */
type Runner = {
  row: RunningOut
  /** Whether the outlook still includes them; null: it names only the first ones, so that is not known. */
  isOut: boolean | null
  /** The id of the last operation that was begun here for them; null: none. */
  operation: string | null
}

/**
 * `span`: the first and last of the days whose use is completely read; null: none is. `isWhole`: all of the last days
 * are. `through`: the last day that is stored; null: none is.
 */
type Use = { days: DayUse[]; span: [string, string] | null; isWhole: boolean; through: string | null }

export class Overview {
  /** Use of the last days, from the local store. */
  private readonly use = new Resource<Use | null>(null, { quiet: true })
  readonly out = new Resource<Outlook | null>(null)
  readonly orders = new Resource<BookedOrder[] | null>(null)
  /** How many IPs run out soon. Without an answer nothing is said: My IPs shows what is wrong. */
  private readonly soon = new Resource<GoodsDue | null>(null, { quiet: true })
  readonly due = $derived(this.soon.value)
  readonly days = $derived(this.use.value?.days ?? null)
  readonly span = $derived(this.use.value?.span ?? null)
  readonly through = $derived(this.use.value?.through ?? null)
  /** Whether the use of the last days is known: a read has reached its end, or every day is covered. */
  readonly isKnown = $derived.by(() => this.reading.work.value !== null || this.use.value?.isWhole === true)
  readonly usageError = $derived.by(() => this.reading.work.error ?? this.use.error)
  /** The customers' balances and the orders, as read by this view. */
  readonly left = new Reading('customers')
  readonly bought = new Reading('orders')
  private readonly toppedUp = new SvelteMap<string, { row: RunningOut; operation: string }>()
  /** The customers who run out. Those topped up here keep their place, so that the outcome is seen. */
  readonly runners = $derived.by((): Runner[] => {
    const { rows, total } = this.out.value ?? { rows: [], total: 0 }
    const listed = new Set(rows.map((row) => row.customerId))
    const runners = rows.map((row) => ({
      row,
      isOut: true,
      operation: this.toppedUp.get(row.customerId)?.operation ?? null,
    }))
    const saved = [...this.toppedUp.values()]
      .filter(({ row }) => !listed.has(row.customerId))
      .map((one) => ({ ...one, isOut: total > rows.length ? null : false }))
    return [...runners, ...saved].sort((a, b) => a.row.from.localeCompare(b.row.from))
  })
  private gone = false
  private outAsked = false

  constructor(
    private readonly call: Call,
    /** The read from the vendor, which goes on when the view is left. */
    readonly reading = usageReading,
  ) {}

  /** Shows the stored data, then updates it. Returns a function that ends the following, not the read. */
  watch(): () => void {
    this.gone = false
    void this.load()
    const unfollow = this.reading.follow(() => void this.query())
    const due = () => void this.readDue()
    const listening = [onOrderChanged(due), onOrderChanged(() => void this.readOrders()), onIpsChanged(due)]
    return () => {
      this.gone = true
      unfollow()
      for (const one of listening) void one.then((stop) => stop())
    }
  }

  /** Shows the stored data, then reads what is new; `again`: even if that read is paused. */
  async load(again = false): Promise<void> {
    void this.readOrders()
    this.outAsked = false
    await this.query()
    void this.readDue()
    await this.reading.read(again)
    // Also if it failed: what it has stored until then is covered now.
    await this.query()
    if (!this.gone) await this.readOut()
  }

  private async readDue(): Promise<void> {
    await this.soon.ask(() => this.call('goods_due', null))
  }

  /** Reads the days from the store. The newest pages arrive first, so they are right long before everything is read. */
  private async query(): Promise<void> {
    await this.use.askInTurn(async () => {
      const state = await this.call('usage_state', null)
      const { today, oldest, through } = state
      const last = { from: daysFrom(today, 1 - DAYS), to: today }
      const span = coveredDays(last, state)
      const days = span ? await this.call('usage_by_time', { ...span, customerId: null, unit: 'day' }) : []
      // The weeks that matter are there, so there is no need to wait for the years before them.
      if (oldest && oldest <= daysFrom(today, -WEEKS_BACK) && !this.outAsked && !this.gone)
        void this.readOut()
      return { days, span: span && [span.from, span.to], isWhole: isCovered(last, state), through }
    })
  }

  async readOut(): Promise<void> {
    this.outAsked = true
    // The figure counts as read as soon as the outlook is there.
    const done = this.left.begin()
    // Without the usage it is no answer about the customers.
    await this.out.ask(
      () => this.call('running_out', null),
      (out) => out.read && done(),
    )
    if (!this.out.value?.read) await this.recallOut()
  }

  /** Shows the outlook of the day on which the customers were read last, if there is no newer one. */
  private async recallOut(): Promise<void> {
    const known = await this.call('known_running_out', null).catch(() => null)
    if (!known || this.out.busy || this.out.value?.read) return
    this.out.forget(null)
    this.out.recall(known.outlook, known.readAt)
    this.left.seen = known.seen
  }

  /** Remembers the operation that tops up a customer. */
  topUp(row: RunningOut, operation: string): void {
    this.toppedUp.set(row.customerId, { row, operation })
  }

  async readOrders(): Promise<void> {
    await this.bought.run(() =>
      this.orders.ask(async () => (await this.call('list_orders', null)).slice(0, RECENT)),
    )
  }
}
