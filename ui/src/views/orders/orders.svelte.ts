/** The order book: orders placed here, and orders added by number. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { OrderView } from '../../bindings/OrderView'
import { Reading } from '../../lib/figures.svelte'
import { type Call, onOrderChanged } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import { route } from '../../lib/route.svelte'
import { plain } from '../../lib/typed'

export class Orders {
  /** All orders in the book; `null`: not read yet. */
  readonly list = new Resource<BookedOrder[] | null>(null)
  readonly all = $derived(this.list.value ?? [])
  readonly loading = $derived(this.list.value === null && this.list.error === null)
  /** Whether "Add by number" is open. */
  adding = $state(false)
  number = $state('')
  /** The read of the order to add. */
  readonly added = new Resource<OrderView | null>(null)
  readonly reading = new Reading('orders')
  readonly shown = $derived(this.all.find((order) => order.orderNo === route.order) ?? null)

  constructor(private readonly call: Call) {}

  /** Reads now and whenever an order changes. Returns a function that stops it. */
  watch(): () => void {
    void this.load()
    const listening = onOrderChanged(() => void this.load())
    return () => void listening.then((stop) => stop())
  }

  async load(): Promise<void> {
    await this.reading.run(() => this.list.ask(() => this.call('list_orders', null)))
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
