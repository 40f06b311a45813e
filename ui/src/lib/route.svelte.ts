/** Where the window is, with Back and Forward. Each place keeps what it shows. */

/** What Customers shows: the list, one customer's page, or a bulk: a new one for `ids`, or the one with its id. */
export type CustomersView =
  | { what: 'list' }
  | { what: 'page'; customer: string }
  | { what: 'bulk'; ids: string[]; bulk: string | null }

/** A place with its parameters; those that are left out stay as they were there. */
export type Route =
  | { place: 'welcome' | 'overview' | 'buy' | 'traffic' | 'settings' }
  /** The order that is open. */
  | { place: 'orders'; order?: string | null }
  /** `dialog`: opens with it, once. */
  | { place: 'customers'; view?: CustomersView; dialog?: 'create' }
  /** The operation whose card is open. */
  | { place: 'activity'; operation?: string | null }
export type Place = Route['place']

/** Offsets from the top, in px, by the name of what is scrolled. */
type Offsets = ReadonlyMap<string, number>

/** What the places show, and where that is scrolled to, as it is kept for Back and Forward. */
type Entry = {
  place: Place
  order: string | null
  operation: string | null
  customers: CustomersView
  offsets: Offsets
}

/** Places that Back goes through at most. */
const MOST = 50
const LIST: CustomersView = { what: 'list' }
const TOP: Offsets = new Map()

export class Navigation {
  place = $state<Place>('welcome')
  /** The order that Orders shows. */
  order = $state<string | null>(null)
  /** The operation that Activity shows first. */
  operation = $state<string | null>(null)
  customers = $state.raw<CustomersView>(LIST)
  /** The dialog that Customers opens with, until it is open. */
  customersDialog = $state<'create' | null>(null)
  /** What is open above every view. */
  dialog = $state<'palette' | 'keys' | 'practice' | null>(null)
  /** Counts "refresh": a view that reads from the vendor reads again. */
  refreshed = $state(0)
  /** Counts the steps that were taken: what is scrolled begins again. */
  visit = $state(0)
  /** Where what is shown has to be scrolled to, until the person does something. */
  offsets = TOP
  private readonly scrollers = new Map<string, () => number>()
  private behind: Entry[] = []
  private ahead: Entry[] = []

  /** Goes to a place. Pressed where one is already, it is no step that Back would undo. */
  go(to: Route): void {
    const before = this.entry
    this.place = to.place
    if (to.place === 'orders' && to.order !== undefined) this.order = to.order
    if (to.place === 'activity' && to.operation !== undefined) this.operation = to.operation
    if (to.place === 'customers') {
      // Customers begins with its list; pressed while one is there, it stays as it is.
      const view = to.view ?? (before.place === 'customers' ? this.customers : LIST)
      this.customers = view.what === 'list' ? LIST : view
      this.customersDialog = to.dialog ?? null
    }
    const { entry } = this
    if (isSame(entry, before)) return
    const last = [...this.behind, ...this.ahead].findLast((one) => isSame(one, entry))
    this.behind = [...this.behind, before].slice(-MOST)
    this.ahead = []
    this.arrive(last?.offsets)
  }

  /** Customers shows this from now on, and Back returns to this: a bulk that was started is no form any more. */
  instead(view: CustomersView): void {
    this.customers = view
  }

  back(): void {
    const to = this.behind.pop()
    if (!to) return
    this.ahead.push(this.entry)
    this.show(to)
  }

  forward(): void {
    const to = this.ahead.pop()
    if (!to) return
    this.behind.push(this.entry)
    this.show(to)
  }

  /** Begins anew at a place: what was shown is of another connection. */
  begin(place: Place): void {
    this.behind = []
    this.ahead = []
    this.place = place
    this.order = null
    this.customers = LIST
    this.customersDialog = null
    this.arrive()
  }

  /** Something is scrolled, and tells its offset when it is left. Returns how to end that. */
  scrolls(name: string, offset: () => number): () => void {
    this.scrollers.set(name, offset)
    return () => {
      if (this.scrollers.get(name) === offset) this.scrollers.delete(name)
    }
  }

  /** The person does something: from now on nothing is scrolled but by them. */
  settle(): void {
    this.offsets = TOP
  }

  private get entry(): Entry {
    const { place, order, operation, customers } = this
    const offsets = new Map([...this.scrollers].map(([name, offset]) => [name, offset()]))
    return { place, order, operation, customers, offsets }
  }

  private show({ place, order, operation, customers, offsets }: Entry): void {
    this.place = place
    // What other places have open is theirs.
    if (place === 'orders') this.order = order
    if (place === 'activity') this.operation = operation
    if (place === 'customers') this.customers = customers
    this.customersDialog = null
    this.arrive(offsets)
  }

  private arrive(offsets = TOP): void {
    this.offsets = offsets
    this.visit++
  }
}

/** Whether two entries show the same: a place and what it has open. */
function isSame(one: Entry, other: Entry): boolean {
  return one.place === other.place && opened(one) === opened(other)
}

function opened({ place, order, operation, customers }: Entry): unknown {
  if (place === 'orders') return order
  if (place === 'activity') return operation
  return place === 'customers' ? customers : null
}

export const route = new Navigation()
