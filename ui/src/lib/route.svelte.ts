/** The current place, with Back and Forward. Each place keeps what it shows. */
import type { Direction } from '../bindings/Direction'
import type { DroppedFile } from '../bindings/DroppedFile'
import type { GoodsFilter } from '../bindings/GoodsFilter'
import type { PlaceHit } from '../bindings/PlaceHit'
import type { SavedPurchase } from '../bindings/SavedPurchase'
import type { Section } from './sections'

/**
 * The view in Customers: the list, a customer's page, or a bulk (`bulk` is its id; null: a new one for `ids`, with
 * `until` to top them up for a day).
 */
export type CustomersView =
  | { what: 'list' }
  | { what: 'page'; customer: string }
  | { what: 'bulk'; ids: string[]; bulk: string | null; until?: true }

/** The view in My IPs: all IPs, when they run out, the buyers, or one buyer's page. */
export type IpsView =
  | { what: 'list' }
  | { what: 'calendar' }
  | { what: 'buyers' }
  | { what: 'buyer'; id: number }

/** What is set for a customer. */
export type Access = 'password' | 'enable' | 'disable'

/** What a place begins on arrival, once. */
export type Task =
  | { what: 'create-customer' }
  | { what: 'add-order' }
  | { what: 'create-buyer' }
  | { what: 'paste-ips' }
  | { what: 'find-place' }
  | { what: 'dropped-file'; file: DroppedFile }
  /** Opens the dialog of a move with `gb` as typed; empty: none. */
  | { what: 'move'; direction: Direction; customerId: string; userName: string; gb: string }
  /** Opens the dialog that sets a password or a status. */
  | { what: 'access'; change: Access; customerId: string }
  /** Chooses a place and a number of IPs; null and empty: none. */
  | { what: 'buy-at'; hit: PlaceHit | null; quantity: string }
  | { what: 'buy-saved'; saved: SavedPurchase }
  | { what: 'search-customers'; search: string }
  /** Searches the order book; `orders`: those that the text is known to find. */
  | { what: 'search-orders'; search: string; orders: string[] }
  /** Lists the traffic that was given to an account. */
  | { what: 'records-of'; account: string }
  /** Opens the dialog that hands over the IPs of an order. */
  | { what: 'hand-over'; order: string }
  | { what: 'settings-section'; section: Section }

/** A place with its parameters. Omitted parameters keep their value. */
export type Route =
  | { place: 'welcome' | 'overview' | 'buy' | 'traffic' | 'settings' }
  /** `order`: the open order; null: none. */
  | { place: 'orders'; order?: string | null }
  /** `only`: shows only the IPs of this filter. `ip`: the IP whose details are open; null: none. */
  | { place: 'ips'; view?: IpsView; only?: Partial<GoodsFilter>; ip?: string | null }
  /** `within`: shows those that run out within this many days. */
  | { place: 'customers'; view?: CustomersView; within?: number }
  /** `operation`: the operation whose card is open; null: none. */
  | { place: 'activity'; operation?: string | null }
export type Place = Route['place']

/** Scroll offsets from the top, in px, by the name of the scrolled element. */
type Offsets = ReadonlyMap<string, number>

/** A step of Back and Forward: the place, what each place showed, and the scroll offsets. */
type Entry = {
  place: Place
  order: string | null
  operation: string | null
  customers: CustomersView
  ips: IpsView
  ip: string | null
  offsets: Offsets
}

/** The most steps that Back can take. */
const MOST = 50
const LIST: CustomersView = { what: 'list' }
const ALL_IPS: IpsView = { what: 'list' }
const TOP: Offsets = new Map()

export class Navigation {
  place = $state<Place>('welcome')
  /** The order open in Orders; null: none. */
  order = $state<string | null>(null)
  /** The operation whose card Activity shows; null: none. */
  operation = $state<string | null>(null)
  customers = $state.raw<CustomersView>(LIST)
  ips = $state.raw<IpsView>(ALL_IPS)
  /** The IP whose details My IPs shows; null: none. */
  ip = $state<string | null>(null)
  /** The filter that My IPs has to show; null: the list stays as it was left. */
  ipsOnly = $state.raw<Partial<GoodsFilter> | null>(null)
  /** The days in which the customers to list run out; null: the list stays as it was left. */
  customersWithin = $state<number | null>(null)
  /** What the place has to begin; null: nothing. The view that begins it takes it away. */
  task = $state.raw<Task | null>(null)
  /** The dialog above all views; null: none. */
  dialog = $state<'palette' | 'keys' | 'practice' | 'health' | 'wallet' | 'files' | null>(null)
  /** Counts refreshes: views follow it and read again. */
  refreshed = $state(0)
  /** Counts steps: scrolled elements follow it. */
  visit = $state(0)
  /** The offsets to restore, until the user does something. */
  offsets = TOP
  /** The elements that the last step left scrolled down, by name. */
  scrolled: ReadonlySet<string> = new Set()
  private readonly scrollers = new Map<string, () => number>()
  private behind = $state.raw<Entry[]>([])
  private ahead = $state.raw<Entry[]>([])
  readonly canBack = $derived(this.behind.length > 0)
  readonly canForward = $derived(this.ahead.length > 0)

  /** Goes to a place. Going to the current place is not a step. */
  go(to: Route, task: Task | null = null): void {
    const before = this.entry
    this.place = to.place
    if (to.place === 'orders' && to.order !== undefined) this.order = to.order
    if (to.place === 'activity' && to.operation !== undefined) this.operation = to.operation
    if (to.place === 'ips') {
      const view = to.view ?? ALL_IPS
      // What is open is of the list that it was opened in.
      if (to.ip !== undefined || to.only || which(view) !== which(this.ips)) this.ip = to.ip ?? null
      this.ips = view.what === 'list' ? ALL_IPS : view
      this.ipsOnly = to.only ?? null
    }
    if (to.place === 'customers') {
      // Customers begins with its list, also from inside Customers.
      const view = to.view ?? LIST
      this.customers = view.what === 'list' ? LIST : view
      this.customersWithin = to.within ?? null
    }
    this.task = task
    const { entry } = this
    if (isSame(entry, before)) return
    const last = [...this.behind, ...this.ahead].findLast((one) => isSame(one, entry))
    this.behind = [...this.behind, before].slice(-MOST)
    this.ahead = []
    this.arrive(last?.offsets)
  }

  /** Replaces the view in Customers without a step: Back then returns to a started bulk, not to its form. */
  instead(view: CustomersView): void {
    this.customers = view
  }

  back(): void {
    const to = this.behind.at(-1)
    if (!to) return
    this.behind = this.behind.slice(0, -1)
    this.ahead = [...this.ahead, this.entry]
    this.show(to)
  }

  forward(): void {
    const to = this.ahead.at(-1)
    if (!to) return
    this.ahead = this.ahead.slice(0, -1)
    this.behind = [...this.behind, this.entry]
    this.show(to)
  }

  /** Starts at a place without history, because another connection was opened. */
  begin(place: Place): void {
    this.behind = []
    this.ahead = []
    this.place = place
    this.order = null
    this.operation = null
    this.customers = LIST
    this.customersWithin = null
    this.ips = ALL_IPS
    this.ip = null
    this.ipsOnly = null
    this.task = null
    this.arrive()
  }

  /** Registers a scrolled element by a function that returns its offset, in px. Returns a function that ends this. */
  scrolls(name: string, offset: () => number): () => void {
    this.scrollers.set(name, offset)
    return () => {
      if (this.scrollers.get(name) === offset) this.scrollers.delete(name)
    }
  }

  /** Stops restoring offsets, because the user did something. */
  settle(): void {
    this.offsets = TOP
  }

  private get entry(): Entry {
    const { place, order, operation, customers, ips, ip } = this
    const offsets = new Map([...this.scrollers].map(([name, offset]) => [name, offset()]))
    return { place, order, operation, customers, ips, ip, offsets }
  }

  private show({ place, order, operation, customers, ips, ip, offsets }: Entry): void {
    this.place = place
    // Other places keep what they have open.
    if (place === 'orders') this.order = order
    if (place === 'activity') this.operation = operation
    if (place === 'customers') this.customers = customers
    if (place === 'ips') {
      this.ips = ips
      this.ip = ip
    }
    this.customersWithin = null
    this.ipsOnly = null
    this.task = null
    this.arrive(offsets)
  }

  private arrive(offsets = TOP): void {
    this.offsets = offsets
    const down = [...this.scrollers].filter(([, offset]) => offset() > 0)
    this.scrolled = new Set(down.map(([name]) => name))
    this.visit++
  }
}

/** Whether two entries show the same place with the same thing open. */
function isSame(one: Entry, other: Entry): boolean {
  return one.place === other.place && opened(one) === opened(other)
}

/** The view in My IPs: every visit of a buyer's page is the same place. */
const which = (ips: IpsView) => (ips.what === 'buyer' ? ips.id : ips.what)

function opened({ place, order, operation, customers, ips, ip }: Entry): unknown {
  if (place === 'orders') return order
  if (place === 'ips') return `${which(ips)} ${ip ?? ''}`
  if (place === 'activity') return operation
  return place === 'customers' ? customers : null
}

export const route = new Navigation()

/** Goes to the page of a customer. */
export function openCustomer(customer: string): void {
  route.go({ place: 'customers', view: { what: 'page', customer } })
}
