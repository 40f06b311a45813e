/** The list of IPs. The program keeps all of them, and the window shows the result of a query. */
import type { GoodsEndsChoice } from '../../bindings/GoodsEndsChoice'
import type { GoodsFilter } from '../../bindings/GoodsFilter'
import type { GoodsFound } from '../../bindings/GoodsFound'
import type { GoodsOrder } from '../../bindings/GoodsOrder'
import type { GoodsQuery } from '../../bindings/GoodsQuery'
import type { GoodsRead } from '../../bindings/GoodsRead'
import type { GoodsView } from '../../bindings/GoodsView'
import { type Call, onIpsChanged, onOrderChanged } from '../../lib/ipc'
import { Resource, unlessEqual } from '../../lib/resource.svelte'
import { Selection } from '../../lib/selection.svelte'
import { plain } from '../../lib/typed'

/** The choices by the time of running out, in the order of their counts. */
export const ENDS = [
  'within3',
  'within7',
  'within30',
  'expired',
  'unknown',
  'unlisted',
] as const satisfies GoodsEndsChoice[]

export const NO_FILTER: GoodsFilter = {
  ends: null,
  buyer: null,
  country: null,
  order: null,
  elsewhere: false,
  between: null,
}

/** Orders that begin with the newest or highest. */
const DOWN_FIRST: ReadonlySet<GoodsOrder> = new Set(['added', 'sent'])

/** Time in ms after which a list that was opened is painted. */
export const PAINTED = 60

export class Ips {
  search = $state('')
  order = $state<GoodsOrder>('added')
  down = $state(true)
  filter = $state<GoodsFilter>({ ...NO_FILTER })
  private readonly query = new Resource<GoodsFound | null>(null, { quiet: true })
  readonly found = $derived(this.query.value)
  readonly error = $derived(this.query.error)
  /** The load that waits until the known list is painted. */
  private later: ReturnType<typeof setTimeout> | undefined
  /** The reading of orders whose proxies are not known yet. */
  readonly reading = new Resource<GoodsRead | null>(null)
  /** Whether it is not known yet if there are any IPs. Once it is, reading again keeps what is on screen. */
  readonly isFirstRead = $derived(
    !this.found || (this.found.all === 0 && this.reading.busy && this.reading.value === null),
  )
  readonly selection = new Selection<GoodsView>({
    keyOf: ({ key }) => key,
    rows: (first, count) => this.rows(first, count),
    keysOf: (query) => this.call('found_goods_keys', query),
  })

  /** Counts the readings that a person asked for. */
  private refreshes = 0
  /** Whether a person asked for the reading that is under way. Any other gives way to one. */
  private isAgain = $state(false)
  readonly refreshing = $derived(this.isAgain && this.reading.busy)

  /** `buyer`: lists only this buyer's; null: everybody's. */
  constructor(
    private readonly call: Call,
    private readonly buyer: number | null = null,
  ) {}

  /**
   * Finds whenever more was delivered or listed, and now: at once, or once the list that is known is painted, which a
   * search of 100,000 IPs would hold up. Returns a function that stops it.
   */
  watch(): () => void {
    if (this.found) this.later = setTimeout(() => void this.load(), PAINTED)
    else void this.load()
    const find = () => void this.find()
    const listening = [onOrderChanged(find), onIpsChanged(find)]
    return () => {
      clearTimeout(this.later)
      for (const one of listening) void one.then((stop) => stop())
    }
  }

  /** Shows what is known, then reads orders whose proxies are not; with `again` also those that were refused. */
  async load(again = false): Promise<void> {
    clearTimeout(this.later)
    if (again) this.refreshes++
    const { refreshes } = this
    await this.find()
    // A refresh that began meanwhile reads more, and must not be replaced.
    if (refreshes !== this.refreshes) return
    this.isAgain = again
    const read = await this.reading.ask((signal) => this.call('read_goods', again, signal))
    if (read && (read.read > 0 || again)) await this.find()
  }

  /** The query of what is shown. */
  readonly asked = $derived.by((): GoodsQuery => {
    const { order, down } = this
    return {
      search: plain(this.search),
      order,
      down,
      filter: { ...this.filter, ...this.only },
      withinBuyer: this.buyer !== null,
    }
  })

  /** The filter that the list always has. */
  private get only(): Partial<GoodsFilter> {
    return this.buyer === null ? {} : { buyer: { of: 'one', id: this.buyer } }
  }

  async find(): Promise<void> {
    const { asked } = this
    await this.query.ask(
      async () => {
        const found = await this.call('find_goods', asked)
        // A list that did not change is not drawn again when it is opened again. After an error its rows are read again.
        // Another number means another result.
        return this.error || this.found?.number !== found.number ? found : unlessEqual(this.found, found)
      },
      (found) => found && void this.selection.reorder(found.number, found.count),
    )
  }

  /** Shows that a window of the list could not be read. */
  fail(thrown: unknown): void {
    this.query.fail(thrown)
  }

  readonly rows = $derived.by(() => {
    const number = this.found?.number ?? 0
    return (first: number, count: number) => this.call('found_goods', { number, first, count })
  })

  /** Whether a search or a filter narrows the list. */
  readonly narrowed = $derived(
    this.search.trim() !== '' || Object.values(this.filter).some((one) => one !== null && one !== false),
  )

  clearFilters(): void {
    this.filter = { ...NO_FILTER }
  }

  showAll(): void {
    this.search = ''
    this.clearFilters()
  }

  /** Shows only the IPs of a filter, whatever was shown before. */
  showOnly(only: Partial<GoodsFilter>): void {
    this.showAll()
    this.filter = { ...NO_FILTER, ...only }
  }

  /** Sorts by a column, or turns its order around. */
  sortBy(order: GoodsOrder): void {
    this.down = this.order === order ? !this.down : DOWN_FIRST.has(order)
    this.order = order
  }

  /** Reads all rows that are shown, for a copy or a file. */
  async all(): Promise<GoodsView[]> {
    const rows: GoodsView[] = []
    const count = this.found?.count ?? 0
    const read = this.rows
    while (rows.length < count) {
      const next = await read(rows.length, PART)
      if (next.length === 0) break
      rows.push(...next)
    }
    return rows
  }

  /** Reads the selected rows, in the order of the list: also those that the search or a filter hides. */
  async chosen(): Promise<GoodsView[]> {
    const { keys } = this.selection
    const everything = { ...this.asked, search: '', filter: { ...NO_FILTER, ...this.only } }
    const { number } = await this.call('find_goods', everything)
    const all = await this.call('found_goods_keys', number)
    const rows: GoodsView[] = []
    for (let begin = 0; begin < all.length; begin += PART) {
      const part = all.slice(begin, begin + PART)
      const first = part.findIndex((key) => keys.has(key))
      if (first < 0) continue
      const count = part.findLastIndex((key) => keys.has(key)) + 1 - first
      const read = await this.call('found_goods', { number, first: begin + first, count })
      rows.push(...read.filter(({ key }) => keys.has(key)))
    }
    return rows
  }
}

/** Rows that are read at a time for a copy or a file. */
const PART = 5000
