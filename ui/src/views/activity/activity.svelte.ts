/** All operations, searched and filtered by the program. A bulk is one entry. */
import type { Activity as Found } from '../../bindings/Activity'
import type { ActivityEntry } from '../../bindings/ActivityEntry'
import type { ActivityOrder } from '../../bindings/ActivityOrder'
import type { ActivityQuery } from '../../bindings/ActivityQuery'
import type { ActivityStanding } from '../../bindings/ActivityStanding'
import type { OperationKind } from '../../bindings/OperationKind'
import type { OperationView } from '../../bindings/OperationView'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { operations } from '../../lib/operations.svelte'
import { Resource } from '../../lib/resource.svelte'
import { route } from '../../lib/route.svelte'

export const KINDS: OperationKind[] = [
  'place-and-pay',
  'renew',
  'recharge',
  'deduction',
  'create',
  'password',
  'status',
]
export const STANDINGS: ActivityStanding[] = ['open', 'done', 'not-done']

/** Entries shown at first, and added by "More". */
const PAGE = 100
/** More entries than there can be. */
const ALL = 1_000_000_000

export class Activity {
  search = $state('')
  kind = $state<OperationKind | null>(null)
  standing = $state<ActivityStanding | null>(null)
  sorted = $state.raw<{ by: ActivityOrder; down: boolean }>({ by: 'when', down: true })
  /** The result, with the search text that it answers. */
  private readonly answer = new Resource<{ found: Found; searched: string } | null>(null, { quiet: true })
  readonly found = $derived(this.answer.value?.found ?? null)
  readonly searched = $derived(this.answer.value?.searched ?? '')
  readonly error = $derived(this.answer.error)
  /** The id of the bulk whose rows are shown; null: none. */
  unfolded = $state<string | null>(null)
  /** The open operation if it is not among the newest: a row of a bulk, or an older one. */
  private readonly other = new Resource<OperationView | null>(null)
  private most = PAGE

  constructor(private readonly call: Call) {}

  readonly entries = $derived(this.found?.entries ?? [])
  readonly more = $derived(this.found !== null && this.entries.length < this.found.total)
  /** The operation whose card is shown; null: none. */
  readonly open = $derived.by(() => {
    const known = operations.all.find((one) => one.id === route.operation)
    const other = this.other.value
    return known ?? (other?.id === route.operation ? other : null)
  })
  /** The active filters, in words. */
  readonly filters = $derived.by(() => {
    const { kind, standing } = this
    return [kind && t(`activity.kind-${kind}`), standing && t(`activity.standing-${standing}`)].filter(
      (one) => one,
    ) as string[]
  })

  /** Reads one question at a time. Text typed meanwhile is searched afterwards. */
  async read(): Promise<void> {
    await this.answer.askInTurn(async () => {
      const { search, most } = this
      const found = await this.call('list_activity', { ...this.asked, most })
      return { found, searched: search.trim() }
    })
  }

  /** Reads all entries that match, for a file. */
  async all(signal: AbortSignal): Promise<ActivityEntry[]> {
    return (await this.call('list_activity', { ...this.asked, most: ALL }, signal)).entries
  }

  private get asked(): Omit<ActivityQuery, 'most'> {
    const { search, kind, standing, sorted } = this
    return { search, kind, standing, order: sorted.by, down: sorted.down }
  }

  /** Shows that a window of rows could not be read. */
  fail(thrown: unknown): void {
    this.answer.fail(thrown)
  }

  async showMore(): Promise<void> {
    this.most += PAGE
    await this.read()
  }

  /** Sorts by a column, or reverses its order: times and amounts begin with the highest. */
  sortBy(by: ActivityOrder): void {
    const { sorted } = this
    this.sorted = { by, down: sorted.by === by ? !sorted.down : by === 'when' || by === 'amount' }
  }

  clearFilters(): void {
    this.kind = null
    this.standing = null
  }

  /** Opens an unconfirmed or pending operation unless another is open. It stays open when it is resolved. */
  choose(): void {
    if (route.operation && (this.open || route.operation === this.looked)) return
    const { first } = this
    if (!route.operation && first && first.id !== this.closed) route.operation = first.id
  }

  /** The operation that needs the user most. */
  private get first(): OperationView | undefined {
    return operations.waiting[0] ?? operations.unconfirmed[0] ?? operations.all.find((one) => one.isOpen)
  }

  /** Closes the details, which stay closed until another operation needs the user. */
  close(): void {
    this.closed = this.first?.id ?? null
    route.operation = null
  }

  /** The operation that would open by itself, once the user has closed the details. */
  private closed: string | null = null
  /** The operation that was read last because it is not among the newest. */
  private looked: string | null = null

  /** Reads the operation to show if it is not among the newest. */
  async readOther(): Promise<void> {
    const id = route.operation
    if (!id || operations.all.some((one) => one.id === id)) return
    this.looked = id
    const operation = await this.other.ask(async () => (await this.call('operations_of', [id]))[0] ?? null)
    // It belongs to another connection and is not shown.
    if (operation === undefined && this.other.error && route.operation === id) route.operation = null
  }
}
