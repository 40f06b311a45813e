/** Who used how much: asked of what is kept here, which is brought up to date from the vendor. */
import type { ChartUnit } from '../../bindings/ChartUnit'
import type { Customer } from '../../bindings/Customer'
import type { CustomerUse } from '../../bindings/CustomerUse'
import type { DayUse } from '../../bindings/DayUse'
import type { RowOrder } from '../../bindings/RowOrder'
import type { Selected } from '../../bindings/Selected'
import type { UsageAsked } from '../../bindings/UsageAsked'
import type { UsageProgress } from '../../bindings/UsageProgress'
import type { UsageState } from '../../bindings/UsageState'
import { type Call, onUsageProgress } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import { Span } from './span.svelte'

export type Way = ChartUnit | 'customer' | 'row'
/** How a table is sorted; `name` is the day or the customer. */
export type Sorted = { by: 'name' | 'upload' | 'download' | 'sum'; down: boolean }
export type Direction = 'both' | 'upload' | 'download'

/** An answer with what it answers: the way and the span. */
type Shown = {
  by: Way
  from: string
  to: string
  times: DayUse[]
  customers: CustomerUse[]
  selected: Selected | null
  /** What the kept report has outside of the filters, days or customers; counted where they leave nothing. */
  outside: { count: number; sameCustomer: boolean }
}

/** A window of rows comes as bytes: so many lines for each row. */
const CELLS = 5
const decoder = new TextDecoder()

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
  private customersSorted = $state.raw<Sorted>({ by: 'sum', down: true })
  private timesSorted = $state.raw<Sorted>({ by: 'name', down: true })
  readonly span = new Span()
  /** Customers to choose from; without their names the rest of the view is there. */
  readonly names = new Resource<Customer[]>([])
  /** The reading from the vendor. */
  readonly reading = new Resource<UsageState | null>(null)
  readonly answer = new Resource<Shown | null>(null, { quiet: true })
  /** What is shown is not yet what was asked for. */
  readonly querying = $derived(this.answer.busy)
  readonly error = $derived(this.reading.error ?? this.answer.error)
  private left = false
  readonly shown = $derived(this.answer.value)
  readonly times = $derived(this.shown?.times ?? [])
  readonly customers = $derived(this.shown?.customers ?? [])
  readonly selected = $derived(this.shown?.selected ?? null)
  readonly outside = $derived(this.shown?.outside.count ?? 0)
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

  constructor(private readonly call: Call) {}

  /** How the table is sorted: by customer, or by time. */
  get sorted(): Sorted {
    return this.way === 'customer' ? this.customersSorted : this.timesSorted
  }

  /** Sorts by a column, the other way round when it is pressed again: names from A, all else from the top. */
  sortBy(by: Sorted['by']): void {
    const { sorted, way } = this
    const down = sorted.by === by ? !sorted.down : by !== 'name' || way !== 'customer'
    if (way === 'customer') this.customersSorted = { by, down }
    else this.timesSorted = { by, down }
  }

  /** Shows what is kept, then reads what is new. Returns how to leave. */
  watch(): () => void {
    this.left = false
    this.progress = null
    void this.names.ask(() => this.call('list_customers', false))
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
    const known = await this.reading.attempt(async () => {
      this.kept = await this.call('usage_state', null)
      this.span.follow(this.kept.today)
    })
    if (!known) return
    await this.query()
    // Who has left meanwhile cannot pause it any more.
    if (!this.left) await this.refresh()
  }

  async refresh(): Promise<void> {
    const kept = await this.reading.ask((signal) => this.call('usage_sync', null, signal))
    if (kept) {
      this.kept = kept
      this.progress = null
    }
    await this.query(!kept)
  }

  /** Asks what is kept about the span. `keepError`: the reading's error is still to be read. */
  async query(keepError = false): Promise<void> {
    const span = this.asSpan
    if (!span) return
    const { by, order } = this
    const customerId = this.customer || null
    const question = { ...span, customerId, unit: unitOf(by) ?? 'day' }
    const { call } = this
    await this.answer.ask(
      async () => {
        const customers = by === 'customer' ? await call('usage_by_customer', question) : []
        const times = by === 'customer' ? [] : await call('usage_by_time', question)
        const selected = by === 'row' ? await call('usage_select', { ...span, customerId, order }) : null
        const none = customers.length === 0 && times.length === 0 && (selected?.count ?? 0) === 0
        const outside = none ? await this.lookOutside(by, question) : { count: 0, sameCustomer: false }
        return { by, ...span, customers, times: times.toReversed(), selected, outside }
      },
      () => {
        if (!keepError && !this.reading.busy) this.reading.error = null
      },
    )
  }

  /** What there is on other days, else of other customers. */
  private async lookOutside(by: Way, question: UsageAsked): Promise<Shown['outside']> {
    if (!this.kept?.oldest) return { count: 0, sameCustomer: false }
    const whole = { ...question, from: this.kept.oldest, to: this.kept.today }
    const count = async (of: UsageAsked) =>
      by === 'customer'
        ? (await this.call('usage_by_customer', of)).length
        : (await this.call('usage_by_time', of)).length
    const own = await count(whole)
    if (own > 0 || !question.customerId) return { count: own, sameCustomer: own > 0 }
    return { count: await count({ ...whole, customerId: null }), sameCustomer: false }
  }

  /** Reads rows of the selection with this number, from a place on. */
  readonly rowsOf =
    (number: number) =>
    async (first: number, count: number): Promise<string[][]> => {
      const lines = decoder.decode(await this.call('usage_rows', { number, first, count })).split('\n')
      return Array.from({ length: Math.floor(lines.length / CELLS) }, (_, at) =>
        lines.slice(at * CELLS, (at + 1) * CELLS),
      )
    }

  /** Shows what the filters hide. */
  showAll(): void {
    this.span.from = ''
    this.span.to = ''
    if (!this.shown?.outside.sameCustomer) this.customer = ''
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
