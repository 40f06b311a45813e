/** The order book: orders placed here, and orders added by number. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { OrderView } from '../../bindings/OrderView'
import { Reading } from '../../lib/figures.svelte'
import { type Call, onOrderChanged } from '../../lib/ipc'
import { kept } from '../../lib/kept.svelte'
import { Names } from '../../lib/names.svelte'
import { placesText } from '../../lib/purchase'
import { Resource } from '../../lib/resource.svelte'
import { route } from '../../lib/route.svelte'
import { plain } from '../../lib/typed'
import { Again } from './again.svelte'
import { isFound, isShown, type Shown, type Sorted, type SortKey, sortOrders } from './filter'
import { OrderNote } from './note.svelte'

export class Orders {
  /** All orders in the book; `null`: not read yet. */
  readonly list = new Resource<BookedOrder[] | null>(null)
  readonly all = $derived(this.list.value ?? [])
  readonly loading = $derived(this.list.value === null && this.list.error === null)
  /** The text to find. */
  search = $state('')
  which = $state<Shown>('all')
  sorted = $state.raw<Sorted>({ by: 'since', down: true })
  /** What each order bought, by place. */
  private readonly places = $derived.by(
    () =>
      new Map(
        this.all.map(({ orderNo, purchase }) => [orderNo, purchase ? placesText(purchase, this.names) : '']),
      ),
  )
  /** The orders that hold an IP with a text in it. */
  private readonly byIp = new Resource<{ text: string; orders: string[] }>(
    { text: '', orders: [] },
    { quiet: true },
  )
  /** The orders that the palette found for a text, such as by a place in the other language. */
  private known = $state.raw({ text: '', orders: [] as string[] })
  private readonly found = $derived.by(() => {
    const sought = plain(this.search)
    const also = [this.byIp.value, this.known].flatMap(({ text, orders }) => (text === sought ? orders : []))
    const others = new Set(also)
    return this.all.filter(
      (order) => isFound(order, this.placesOf(order), this.search) || others.has(order.orderNo),
    )
  })
  /** The orders to show, in order. */
  readonly rows = $derived(
    sortOrders(
      this.found.filter((order) => isShown(order, this.which)),
      this.sorted,
    ),
  )
  /** The number of orders with the text that the filter hides. */
  readonly outside = $derived(this.found.length - this.rows.length)
  /** Whether "Add by number" is open. */
  adding = $state(false)
  number = $state('')
  /** The read of the order to add. */
  readonly added = new Resource<OrderView | null>(null)
  readonly reading = new Reading('orders')
  readonly shown = $derived(this.all.find((order) => order.orderNo === route.order) ?? null)

  readonly again: Again
  private readonly names: Names
  /** The notes that were opened, by order. */
  private readonly notes = new Map<string, OrderNote>()

  constructor(private readonly call: Call) {
    this.names = kept.of(Names, call)
    this.again = new Again(call)
  }

  /** Whether the vendor reports another state of an order than the list shows. */
  differs({ orderNo, status, delivered }: OrderView): boolean {
    const known = this.all.find((order) => order.orderNo === orderNo)
    const isOther = <T>(now: T | null, before: T | null) => now !== null && now !== before
    return !!known && (isOther(status, known.status) || isOther(delivered, known.delivered))
  }

  /** What an order bought, by place; empty: it is not known. */
  placesOf({ orderNo }: BookedOrder): string {
    return this.places.get(orderNo) ?? ''
  }

  /** Sorts by a column, or turns its order around. Amounts and times begin with the highest. */
  sortBy(by: SortKey): void {
    this.sorted = { by, down: this.sorted.by === by ? !this.sorted.down : by !== 'number' }
  }

  /** Reads now and whenever an order changes. Returns a function that stops it. */
  watch(): () => void {
    void this.load()
    const listening = onOrderChanged(() => void this.load())
    return () => void listening.then((stop) => stop())
  }

  /** Finds the orders of the IP that is typed. The rest of the search works without it. */
  async findByIp(): Promise<void> {
    const text = plain(this.search)
    await this.byIp.ask(async () => ({ text, orders: await this.call('orders_with_ip', text) }))
  }

  /** Shows the orders of a text, among them those that are known to belong to it. */
  searchFor(text: string, orders: string[]): void {
    this.search = text
    this.which = 'all'
    this.known = { text: plain(text), orders }
  }

  /** The note on an order, with what is typed and not saved yet. */
  noteOf({ orderNo, note }: BookedOrder): OrderNote {
    const known = this.notes.get(orderNo)
    if (known) return known
    const opened = new OrderNote(this.call, orderNo, note, (saved) => this.keepNote(orderNo, saved))
    this.notes.set(orderNo, opened)
    return opened
  }

  private keepNote(orderNo: string, note: string): void {
    this.list.value = this.all.map((order) => (order.orderNo === orderNo ? { ...order, note } : order))
  }

  /** Drops the filter; without hidden orders of the text, the text too. */
  showAll(): void {
    if (this.outside === 0) this.search = ''
    this.which = 'all'
  }

  async load(): Promise<void> {
    await this.reading.run(() => this.list.ask(() => this.call('list_orders', null)))
    await this.names.read(this.all.flatMap(({ purchase }) => purchase ?? []))
  }

  /** Adds the order with the typed number, and opens it unless another number or place was chosen meanwhile. */
  async add(): Promise<void> {
    const number = plain(this.number)
    const { visit } = route
    const order = await this.added.ask((signal) => this.call('order_detail', number, signal))
    if (!order) return
    await this.load()
    if (plain(this.number) !== number || route.visit !== visit) return
    route.order = order.orderNo
    this.number = ''
    this.adding = false
  }
}
