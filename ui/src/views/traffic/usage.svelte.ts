/** Who used how much: asked of what is kept here, which is brought up to date from the vendor. */
import type { ChartUnit } from '../../bindings/ChartUnit'
import type { CommandError } from '../../bindings/CommandError'
import type { CustomerUse } from '../../bindings/CustomerUse'
import type { DayUse } from '../../bindings/DayUse'
import type { RowOrder } from '../../bindings/RowOrder'
import type { Selected } from '../../bindings/Selected'
import type { UsageAsked } from '../../bindings/UsageAsked'
import type { UsageProgress } from '../../bindings/UsageProgress'
import type { UsageState } from '../../bindings/UsageState'
import { asCommandError, call, failure, onUsageProgress } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'
import { Span } from './span.svelte'

export type Way = ChartUnit | 'customer' | 'row'
export type Direction = 'both' | 'upload' | 'download'

export class Usage {
  kept = $state.raw<UsageState | null>(null)
  progress = $state.raw<UsageProgress | null>(null)
  by = $state<Way>('day')
  direction = $state<Direction>('both')
  /** One customer's number; empty is all of them. */
  customer = $state('')
  /** Its name, once it was chosen. */
  customerName = $state('')
  order = $state<RowOrder>('newest')
  readonly span = new Span()
  times = $state.raw<DayUse[]>([])
  customers = $state.raw<CustomerUse[]>([])
  selected = $state.raw<Selected | null>(null)
  error = $state<CommandError | null>(null)
  /** Of the reading from the vendor. */
  readonly reading = new Wait()
  private asked = 0
  /** What is shown is not yet what was asked for. */
  querying = $state(false)
  /** What is shown: the way and the span of the last answer. */
  shown = $state.raw<{ by: Way; from: string; to: string } | null>(null)
  private left = false
  /** What the kept report has outside of the filters: days, or customers; counted where they leave nothing. */
  outside = $state(0)
  /** Other days of the same customer are enough. */
  private sameCustomer = false
  readonly rows = $derived(this.progress?.rows ?? this.kept?.rows ?? 0)
  readonly way = $derived(this.shown?.by ?? this.by)
  readonly empty = $derived(
    this.way === 'customer'
      ? this.customers.length === 0
      : this.way === 'row'
        ? (this.selected?.count ?? 0) === 0
        : this.times.length === 0,
  )
  /** What a chart stands for; rows are drawn by day. */
  readonly unit = $derived(unitOf(this.way))

  /** Shows what is kept, then reads what is new. Returns how to leave. */
  watch(): () => void {
    void this.begin()
    const listening = onUsageProgress((progress) => {
      this.progress = progress
      // One question at a time: the store is busy with the rows. Rows are put in order when all are there.
      if (!this.querying && this.by !== 'row') void this.query()
    })
    return () => {
      this.left = true
      this.reading.stop()
      void listening.then((stop) => stop())
    }
  }

  private async begin(): Promise<void> {
    try {
      this.kept = await call('usage_state', null)
      this.span.last(30, this.kept.today)
      await this.query()
    } catch (thrown) {
      this.error = asCommandError(thrown)
      return
    }
    // Who has left meanwhile cannot pause it any more.
    if (!this.left) await this.refresh()
  }

  async refresh(): Promise<void> {
    this.error = null
    try {
      this.kept = await this.reading.run((signal) => call('usage_sync', null, signal))
      this.progress = null
    } catch (thrown) {
      this.error = failure(thrown)
      await this.query(true)
      return
    }
    await this.query()
  }

  /** Asks what is kept about the span. */
  async query(keepError = false): Promise<void> {
    const span = this.asSpan
    if (!span) return
    const asked = ++this.asked
    const { by, order } = this
    const customerId = this.customer || null
    const question = { ...span, customerId, unit: unitOf(by) ?? 'day' }
    this.querying = true
    try {
      const customers = by === 'customer' ? await call('usage_by_customer', question) : []
      const times = by === 'customer' ? [] : await call('usage_by_time', question)
      const selected = by === 'row' ? await call('usage_select', { ...span, customerId, order }) : null
      const none = customers.length === 0 && times.length === 0 && (selected?.count ?? 0) === 0
      const outside = none ? await this.lookOutside(question) : 0
      if (asked !== this.asked) return
      this.outside = outside
      this.customers = customers
      this.times = times.reverse()
      this.selected = selected
      this.shown = { by, ...span }
      if (!keepError) this.error = null
    } catch (thrown) {
      if (asked === this.asked) this.error = asCommandError(thrown)
    } finally {
      if (asked === this.asked) this.querying = false
    }
  }

  /** What there is on other days, else of other customers. */
  private async lookOutside(question: UsageAsked): Promise<number> {
    if (!this.kept?.oldest) return 0
    const whole = { ...question, from: this.kept.oldest, to: this.kept.today }
    const count = async (of: UsageAsked) =>
      this.by === 'customer'
        ? (await call('usage_by_customer', of)).length
        : (await call('usage_by_time', of)).length
    const own = await count(whole)
    this.sameCustomer = own > 0
    return own > 0 || !question.customerId ? own : count({ ...whole, customerId: null })
  }

  /** Shows what the filters hide. */
  showAll(): void {
    this.span.from = ''
    this.span.to = ''
    if (!this.sameCustomer) this.customer = ''
  }

  /** An open end is the end of what is kept. */
  get asSpan(): { from: string; to: string } | null {
    const { kept, span } = this
    if (!kept || !span.fits) return null
    return { from: span.from || (kept.oldest ?? kept.today), to: span.to || kept.today }
  }
}

function unitOf(by: Way): ChartUnit | null {
  return by === 'customer' ? null : by === 'row' ? 'day' : by
}
