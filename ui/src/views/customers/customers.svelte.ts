/** The agent's customers. The program keeps all of them, and the window shows the result of a query. */
import type { CustomerRow } from '../../bindings/CustomerRow'
import type { CustomersState } from '../../bindings/CustomersState'
import type { Direction } from '../../bindings/Direction'
import type { Found } from '../../bindings/Found'
import type { ListFilter } from '../../bindings/ListFilter'
import type { ListOrder } from '../../bindings/ListOrder'
import { figures, OLD } from '../../lib/figures.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import type { Access } from '../../lib/route.svelte'
import { Selection } from '../../lib/selection.svelte'
import { Note } from './note.svelte'

/** Days to choose from, in which customers run out. */
export const WITHIN = [7, 30, 60] as const

export type Dialog =
  | {
      what: 'move'
      direction: Direction
      customer: Pick<CustomerRow, 'customerId' | 'userName'>
      gb?: string
    }
  | { what: 'create' }
  | { what: 'password'; customer: CustomerRow }
  | { what: 'status'; customer: CustomerRow; active: boolean }
  | { what: 'template' }

export class Customers {
  readonly list = new Resource<CustomersState | null>(null)
  readonly read = $derived(this.list.value)
  search = $state('')
  order = $state<ListOrder>('vendor')
  down = $state(false)
  filter = $state<ListFilter>({ active: null, tag: null, within: null })
  private readonly query = new Resource<Found | null>(null, { quiet: true })
  readonly found = $derived(this.query.value)
  private readonly again = new Resource<CustomersState | null>(null, { quiet: true })
  /** The customer whose dialog was asked for by name. */
  private readonly asked = new Resource<CustomerRow | null>(null)
  readonly error = $derived(this.list.error ?? this.query.error ?? this.again.error ?? this.asked.error)
  dialog = $state.raw<Dialog | null>(null)
  /** The id of the last operation started here; null: none. */
  begun = $state<string | null>(null)
  /** The customers selected for a bulk. */
  readonly selection = new Selection<CustomerRow>({
    keyOf: ({ customerId }) => customerId,
    rows: (first, count) => this.rows(first, count),
    keysOf: (query) => this.call('found_ids', query),
  })
  /** The notes that were opened, by customer. */
  private readonly notes = new Map<string, Note>()

  constructor(private readonly call: Call) {}

  /** Reads the list; with `again` from the vendor. */
  async load(again = false): Promise<void> {
    // A pending read of the stored list is about an older state.
    this.again.drop()
    this.again.error = this.asked.error = null
    const read = await this.list.ask((signal) => this.call('read_customers', again, signal))
    if (!read) return
    await this.find()
    // Opened while the connection still opens: without a position nothing says whether the list is old.
    if (figures.position < 0) await figures.follow().catch(() => {})
    // Show the stored list at once, and read it again if it is old.
    // If it is from an earlier start, its figures lack what happened since.
    const missed = read.seen < figures.began || read.seen > figures.position
    if (!again && (missed || Date.now() - read.readAt > OLD)) void this.load(true)
  }

  /** Reads again what is known locally: notes, statuses, operations. */
  async reload(): Promise<void> {
    if (!this.read || this.list.busy || this.again.busy) return
    const read = await this.again.ask(() => this.call('read_customers', false))
    if (!read) return
    this.list.value = read
    await this.find()
  }

  async find(): Promise<void> {
    if (!this.read) return
    const { search, order, down, filter } = this
    await this.query.ask(
      () => this.call('find_customers', { search, order, down, filter: { ...filter } }),
      (found) => void this.selection.reorder(found.number, found.count),
    )
  }

  /** Opens the dialog for a customer's password or status, once it is read what they have. */
  async openAccess(change: Access, customerId: string): Promise<void> {
    await this.asked.ask(
      async () => {
        await this.call('read_customers', false)
        return (await this.call('customer_page', customerId)).row
      },
      (customer) => {
        if (change === 'password') this.dialog = { what: 'password', customer }
        else this.dialog = { what: 'status', customer, active: change === 'enable' }
      },
    )
  }

  /** The note about a customer, with what is typed and not saved yet. */
  noteOf(row: CustomerRow): Note {
    const known = this.notes.get(row.customerId)
    if (known?.isTyped) return known
    const opened = new Note(this.call, row)
    this.notes.set(row.customerId, opened)
    return opened
  }

  /** Shows that a window of the list could not be read. */
  fail(thrown: unknown): void {
    this.query.fail(thrown)
  }

  readonly rows = $derived.by(() => {
    const number = this.found?.number ?? 0
    return (first: number, count: number) => this.call('found_customers', { number, first, count })
  })

  /** The end of an operation that the list does not include yet; null: none. */
  readonly due = $derived.by(() => (this.read ? figures.due('customers', this.read.seen) : null))

  /** Whether an operation has touched a customer's figures since they were read. */
  isOld(customer: string): boolean {
    return this.read !== null && figures.isOld('customers', this.read.seen, customer)
  }

  /** The active filters, in words. */
  readonly filters = $derived.by(() => {
    const { active, tag, within } = this.filter
    const status = active !== null && t(active ? 'customers.enabled' : 'customers.disabled')
    const soon =
      within !== null &&
      t('common.is', { what: t('customers.days-left'), value: t('customers.within', { count: within }) })
    return [status && t('common.is', { what: t('customers.set-here'), value: status }), soon, tag].filter(
      (one) => one,
    ) as string[]
  })

  clearFilters(): void {
    this.filter = { active: null, tag: null, within: null }
  }

  /** Whether a search or a filter narrows the list. */
  readonly narrowed = $derived(
    this.search.trim() !== '' ||
      this.filter.active !== null ||
      this.filter.tag !== null ||
      this.filter.within !== null,
  )

  sortBy(order: ListOrder): void {
    this.down = this.order === order ? !this.down : false
    this.order = order
  }

  showAll(): void {
    this.search = ''
    this.clearFilters()
  }

  /** Lists only those that run out within this many days, the first of them first. */
  showWithin(days: number): void {
    this.showAll()
    this.filter.within = days
    this.order = 'days-left'
    this.down = false
  }

  /** Closes the dialog and the card of the last operation when the view is left. */
  leave(): void {
    this.asked.drop()
    this.asked.error = null
    this.dialog = null
    this.begun = null
  }
}
