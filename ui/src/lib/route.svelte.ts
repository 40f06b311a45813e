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

/** What the places show, as it is kept for Back and Forward. */
type Entry = {
  place: Place
  order: string | null
  operation: string | null
  customers: CustomersView
}

/** Places that Back goes through at most. */
const MOST = 50
const LIST: CustomersView = { what: 'list' }

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
      if (view.what !== 'list' || this.customers.what !== 'list') this.customers = view
      this.customersDialog = to.dialog ?? null
    }
    const { entry } = this
    const isSame = (Object.keys(entry) as (keyof Entry)[]).every((key) => entry[key] === before[key])
    if (isSame) return
    this.behind = [...this.behind, before].slice(-MOST)
    this.ahead = []
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
    this.show({ place, order: null, operation: this.operation, customers: LIST })
  }

  private get entry(): Entry {
    const { place, order, operation, customers } = this
    return { place, order, operation, customers }
  }

  private show({ place, order, operation, customers }: Entry): void {
    this.place = place
    this.order = order
    this.operation = operation
    this.customers = customers
    this.customersDialog = null
  }
}

export const route = new Navigation()
