/** Usage, queried from the local store, which is updated from the vendor. */
import type { ChartUnit } from '../../bindings/ChartUnit'
import type { Customer } from '../../bindings/Customer'
import type { CustomerUse } from '../../bindings/CustomerUse'
import type { DayUse } from '../../bindings/DayUse'
import type { RowOrder } from '../../bindings/RowOrder'
import type { Selected } from '../../bindings/Selected'
import type { UsageRequest } from '../../bindings/UsageRequest'
import type { UsageState } from '../../bindings/UsageState'
import { coveredDays, isCovered } from '../../lib/coveredDays'
import { daysFrom, monthFrom } from '../../lib/days'
import { byName } from '../../lib/format'
import type { Call } from '../../lib/ipc'
import { Resource, Work } from '../../lib/resource.svelte'
import { usageReading } from '../../lib/usageReading.svelte'
import { Span } from './span.svelte'

export type Way = ChartUnit | 'customer' | 'row'
/** The order of a table; `name` is the day or the customer. */
export type Sorted = { by: 'name' | 'upload' | 'download' | 'sum'; down: boolean }
export type Direction = 'both' | 'upload' | 'download'
/** A row of the table: a time, whose key is its first day, or a customer. */
export type UseRow = Pick<CustomerUse, 'name' | 'upload' | 'download' | 'sum'> & { key: string }

const AMOUNTS = ['upload', 'download', 'sum'] as const

/** An answer with its question: the way and the span. */
type Shown = {
  by: Way
  /** What was stored when it was made. */
  kept: UsageState
  from: string
  to: string
  times: DayUse[]
  customers: CustomerUse[]
  selected: Selected | null
  /** Days or customers that the filters hide; counted only when they leave nothing. */
  outside: { count: number; sameCustomer: boolean }
}

/** Lines per row in the bytes of a window of rows. */
const CELLS = 5
const decoder = new TextDecoder()

export class Usage {
  kept = $state.raw<UsageState | null>(null)
  by = $state<Way>('day')
  direction = $state<Direction>('both')
  /** The id of a customer; empty: all. */
  customer = $state('')
  /** The name of the chosen customer; empty: all. */
  customerName = $state('')
  order = $state<RowOrder>('newest')
  private customersSorted = $state.raw<Sorted>({ by: 'sum', down: true })
  private timesSorted = $state.raw<Sorted>({ by: 'name', down: true })
  readonly span = new Span()
  /** Customers to choose from. The rest of the view works without them. */
  readonly names = new Resource<Customer[]>([])
  /** The look into the store, before anything is read. */
  private readonly opening = new Work()
  readonly answer = new Resource<Shown | null>(null, { quiet: true })
  /** Whether the answer to the current question is pending. */
  readonly querying = $derived(this.answer.busy)
  readonly error = $derived.by(() => this.opening.error ?? this.reading.work.error ?? this.answer.error)
  readonly shown = $derived(this.answer.value)
  readonly times = $derived(this.shown?.times ?? [])
  readonly customers = $derived(this.shown?.customers ?? [])
  readonly selected = $derived(this.shown?.selected ?? null)
  readonly outside = $derived(this.shown?.outside.count ?? 0)
  readonly rows = $derived.by(() => this.reading.progress?.rows ?? this.kept?.rows ?? 0)
  readonly way = $derived(this.shown?.by ?? this.by)
  readonly empty = $derived(
    this.way === 'customer'
      ? this.customers.length === 0
      : this.way === 'row'
        ? (this.selected?.count ?? 0) === 0
        : this.times.length === 0,
  )
  /** Whether the usage of the span is known: a read has reached its end, or every day is covered. */
  readonly isKnown = $derived.by(
    () => this.reading.work.value !== null || (this.shown !== null && isCovered(this.shown, this.shown.kept)),
  )
  /** The unit of the chart; null: customers. Rows are drawn by day. */
  readonly unit = $derived(unitOf(this.way))

  constructor(
    private readonly call: Call,
    /** The read from the vendor, which goes on when the view is left. */
    readonly reading = usageReading,
  ) {}

  /** The amounts that are shown. */
  readonly amounts = $derived(
    this.direction === 'both' ? AMOUNTS : AMOUNTS.filter((amount) => amount === this.direction),
  )

  /** The order of the current table, which is by customer or by time. An amount that is hidden gives way to the shown. */
  get sorted(): Sorted {
    const { by, down } = this.way === 'customer' ? this.customersSorted : this.timesSorted
    const isHidden = by !== 'name' && !this.amounts.some((amount) => amount === by)
    return { by: isHidden ? (this.amounts[0] ?? by) : by, down }
  }

  /** All rows in the order of the table, for the table, its file and the clipboard. */
  readonly sortedRows = $derived.by((): UseRow[] => {
    const rows: UseRow[] =
      this.way === 'customer'
        ? this.customers.map((row) => ({ ...row, key: row.customerId }))
        : this.times.map((row) => ({ ...row, key: row.day, name: '' }))
    const { by, down } = this.sorted
    const compare = (one: UseRow, other: UseRow) =>
      by === 'name'
        ? byName(one.name || one.key, other.name || other.key)
        : Number(one[by]) - Number(other[by])
    return rows.sort((one, other) => (down ? compare(other, one) : compare(one, other)))
  })

  /** Sorts by a column, or reverses its order: customers start from A, everything else from the highest. */
  sortBy(by: Sorted['by']): void {
    const { sorted, way } = this
    const down = sorted.by === by ? !sorted.down : by !== 'name' || way !== 'customer'
    if (way === 'customer') this.customersSorted = { by, down }
    else this.timesSorted = { by, down }
  }

  /** Shows the stored usage, then reads what is new. Returns a function that ends the following, not the read. */
  watch(): () => void {
    void this.names.ask(() => this.call('list_customers', false))
    void this.begin()
    return this.reading.follow(() => {
      // One question at a time, because the store is busy with new rows. Rows are sorted once all are there.
      if (!this.querying && this.by !== 'row') void this.query()
    })
  }

  private async begin(): Promise<void> {
    const known = await this.opening.attempt(async () => {
      this.kept = await this.call('usage_state', null)
      this.span.follow(this.kept.today)
    })
    if (!known) return
    await this.query()
    await this.refresh(false)
  }

  /** Reads what is new; `again`: even if the read is paused. */
  async refresh(again = true): Promise<void> {
    const kept = await this.reading.read(again)
    if (kept) this.kept = kept
    await this.query(!kept)
  }

  /** Queries the store for the span. `keepError`: the error of the read stays on screen. */
  async query(keepError = false): Promise<void> {
    const span = this.asSpan
    if (!span) return
    const { by, order } = this
    const customerId = this.customer || null
    const question = { ...span, customerId, unit: unitOf(by) ?? 'day' }
    const { call } = this
    await this.answer.ask(
      async () => {
        const kept = await call('usage_state', null)
        const customers = by === 'customer' ? await call('usage_by_customer', question) : []
        const read = coveredDays(span, kept)
        const times = by === 'customer' || !read ? [] : await call('usage_by_time', { ...question, ...read })
        const selected = by === 'row' ? await call('usage_select', { ...span, customerId, order }) : null
        const none = customers.length === 0 && times.length === 0 && (selected?.count ?? 0) === 0
        const outside = none ? await this.lookOutside(by, question, kept) : { count: 0, sameCustomer: false }
        return { by, kept, ...span, customers, times: times.toReversed(), selected, outside }
      },
      ({ kept }) => {
        this.kept = kept
        const { work } = this.reading
        if (!keepError && !work.busy) work.error = null
      },
    )
  }

  /** Counts what there is on other days, or else of other customers. */
  private async lookOutside(by: Way, question: UsageRequest, kept: UsageState): Promise<Shown['outside']> {
    if (!kept.oldest) return { count: 0, sameCustomer: false }
    const whole = { ...question, from: kept.oldest, to: kept.today }
    const count = async (of: UsageRequest) =>
      by === 'customer'
        ? (await this.call('usage_by_customer', of)).length
        : (await this.call('usage_by_time', of)).length
    const own = await count(whole)
    if (own > 0 || !question.customerId) return { count: own, sameCustomer: own > 0 }
    return { count: await count({ ...whole, customerId: null }), sameCustomer: false }
  }

  /** Returns a function that reads rows of the selection with this number from an index on. */
  readonly rowsOf =
    (number: number) =>
    async (first: number, count: number): Promise<string[][]> => {
      const lines = decoder.decode(await this.call('usage_rows', { number, first, count })).split('\n')
      return Array.from({ length: Math.floor(lines.length / CELLS) }, (_, at) =>
        lines.slice(at * CELLS, (at + 1) * CELLS),
      )
    }

  /** Shows one customer's usage by day. */
  showOnly(customer: string, name: string): void {
    this.customer = customer
    this.customerName = name || customer
    this.by = 'day'
  }

  /** Shows who used the traffic of a row by time: a day, or the week or month that begins with it. */
  showCustomersOf(day: string, unit: ChartUnit = this.unit ?? 'day'): void {
    const last = { day: day, week: daysFrom(day, 6), month: daysFrom(monthFrom(day, 1), -1) }
    const to = last[unit]
    const today = this.kept?.today ?? to
    this.span.from = day
    this.span.to = to < today ? to : today
    this.customer = ''
    this.customerName = ''
    this.by = 'customer'
  }

  /** Removes the filters that hide everything. */
  showAll(): void {
    this.span.clear()
    if (!this.shown?.outside.sameCustomer) this.customer = ''
  }

  /** The span, with the ends of the stored report where it is open; null: it is not valid. */
  get asSpan(): { from: string; to: string } | null {
    const { kept, span } = this
    if (!kept || !span.fits) return null
    return { from: span.from || (kept.oldest ?? kept.today), to: span.to || kept.today }
  }
}

function unitOf(by: Way): ChartUnit | null {
  return by === 'customer' ? null : by === 'row' ? 'day' : by
}
