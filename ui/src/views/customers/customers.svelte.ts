/** The agent's customers: all of them are kept behind the window, which shows what a query finds. */
import type { CommandError } from '../../bindings/CommandError'
import type { CustomerRow } from '../../bindings/CustomerRow'
import type { CustomersState } from '../../bindings/CustomersState'
import type { Direction } from '../../bindings/Direction'
import type { Found } from '../../bindings/Found'
import type { ListFilter } from '../../bindings/ListFilter'
import type { ListOrder } from '../../bindings/ListOrder'
import { figures } from '../../lib/figures.svelte'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call, failure } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

/** A list is old after this time, ms. */
const OLD = 60_000

export type Dialog =
  | { what: 'move'; direction: Direction; customer: CustomerRow }
  | { what: 'create' }
  | { what: 'password'; customer: CustomerRow }
  | { what: 'status'; customer: CustomerRow; active: boolean }
  | { what: 'template' }

export class Customers {
  read = $state.raw<CustomersState | null>(null)
  search = $state('')
  order = $state<ListOrder>('vendor')
  down = $state(false)
  filter = $state<ListFilter>({ active: null, tag: null, runsOut: false })
  found = $state.raw<Found | null>(null)
  error = $state<CommandError | null>(null)
  readonly wait = new Wait()
  dialog = $state.raw<Dialog | null>(null)
  /** The operation that was last begun here. */
  begun = $state<string | null>(null)
  /** Chosen for a bulk, by their ids. */
  chosen = $state.raw<ReadonlySet<string>>(new Set())
  /** The number of the query of which all are chosen. */
  allOf = $state<number | null>(null)
  private reloading = false
  private lastChosen: number | null = null
  private asked = 0

  /** Reads the list; `again` asks the vendor. */
  async load(again = false): Promise<void> {
    this.error = null
    try {
      this.read = await this.wait.run((signal) => call('read_customers', again, signal))
      await this.find()
      // What was kept serves at once; what is old is read again behind it.
      const { readAt, seen } = this.read
      // Of an earlier start: what happened behind it is in no figure.
      const missed = seen < figures.began || seen > figures.position
      if (!again && (missed || Date.now() - readAt > OLD)) void this.load(true)
    } catch (thrown) {
      this.error = failure(thrown)
    }
  }

  /** Reads anew what is known here: a note, a status, an operation. */
  async reload(): Promise<void> {
    if (!this.read || this.wait.busy || this.reloading) return
    this.reloading = true
    try {
      this.read = await call('read_customers', false)
      await this.find()
    } catch (thrown) {
      this.error = asCommandError(thrown)
    } finally {
      this.reloading = false
    }
  }

  async find(): Promise<void> {
    if (!this.read) return
    const asked = ++this.asked
    try {
      const { search, order, down, filter } = this
      const found = await call('find_customers', { search, order, down, filter: { ...filter } })
      // An answer that comes late belongs to fewer letters.
      if (asked === this.asked) {
        this.found = found
        this.lastChosen = null
      }
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  readonly rows = $derived.by(() => {
    const number = this.found?.number ?? 0
    return (first: number, count: number) => call('found_customers', { number, first, count })
  })

  /** The end of an operation that is in no figure of the list yet. */
  readonly due = $derived.by(() => (this.read ? figures.due('customers', this.read.seen) : null))

  /** An operation has touched a customer's figures since they were read. */
  isOld(customer: string): boolean {
    return this.read !== null && figures.isOld('customers', this.read.seen, customer)
  }

  /** The filters in force, in words. */
  readonly filters = $derived.by(() => {
    const { active, tag, runsOut } = this.filter
    const status = active !== null && t(active ? 'customers.enabled' : 'customers.disabled')
    const soon = runsOut && `${t('customers.days-left')}: ${t('customers.soon')}`
    return [status && `${t('customers.set-here')}: ${status}`, soon, tag].filter((one) => one) as string[]
  })

  clearFilters(): void {
    this.filter = { active: null, tag: null, runsOut: false }
  }

  /** Whether anything narrows the list. */
  readonly narrowed = $derived(
    this.search.trim() !== '' ||
      this.filter.active !== null ||
      this.filter.tag !== null ||
      this.filter.runsOut === true,
  )

  sortBy(order: ListOrder): void {
    this.down = this.order === order ? !this.down : false
    this.order = order
  }

  showAll(): void {
    this.search = ''
    this.clearFilters()
  }

  /** Chooses a row, or with Shift everything since the one before. */
  async choose(row: CustomerRow, at: number, checked: boolean, shift: boolean): Promise<void> {
    const from = shift && this.lastChosen !== null ? this.lastChosen : at
    this.lastChosen = at
    const [low, high] = from < at ? [from, at] : [at, from]
    const rows = low === high ? [row] : await this.rows(low, high - low + 1)
    const next = new Set(this.chosen)
    for (const { customerId } of rows) {
      if (checked) next.add(customerId)
      else next.delete(customerId)
    }
    this.chosen = next
    this.allOf = null
  }

  /** Everybody that is found joins, or leaves, those who are chosen. */
  async chooseAll(checked: boolean): Promise<void> {
    if (!this.found) return
    const { number } = this.found
    const ids = await call('found_ids', number)
    const next = new Set(this.chosen)
    for (const id of ids) {
      if (checked) next.add(id)
      else next.delete(id)
    }
    this.chosen = next
    this.allOf = checked ? number : null
  }

  chooseNone(): void {
    this.chosen = new Set()
    this.allOf = null
  }
}
