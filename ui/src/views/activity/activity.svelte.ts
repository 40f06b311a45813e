/** Activity: what was done, searched and filtered by the program; a bulk is one entry. */
import type { Activity as Found } from '../../bindings/Activity'
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
  'recharge',
  'deduction',
  'create',
  'password',
  'status',
]
export const STANDINGS: ActivityStanding[] = ['open', 'done', 'not-done']

/** Entries that one press adds. */
const PAGE = 100

export class Activity {
  search = $state('')
  kind = $state<OperationKind | null>(null)
  standing = $state<ActivityStanding | null>(null)
  /** What was found, and the words that it answers. */
  private readonly answer = new Resource<{ found: Found; searched: string } | null>(null, { quiet: true })
  readonly found = $derived(this.answer.value?.found ?? null)
  readonly searched = $derived(this.answer.value?.searched ?? '')
  readonly error = $derived(this.answer.error)
  /** The bulk whose rows are shown. */
  unfolded = $state<string | null>(null)
  /** A row of a bulk, or an older operation, that is open. */
  private readonly other = new Resource<OperationView | null>(null)
  private most = PAGE

  constructor(private readonly call: Call) {}

  readonly entries = $derived(this.found?.entries ?? [])
  readonly more = $derived(this.found !== null && this.entries.length < this.found.total)
  /** The operation whose card is shown. */
  readonly open = $derived.by(() => {
    const known = operations.all.find((one) => one.id === route.operation)
    const other = this.other.value
    return known ?? (other?.id === route.operation ? other : null)
  })
  /** The filters in force, in words. */
  readonly filters = $derived.by(() => {
    const { kind, standing } = this
    return [kind && t(`activity.kind-${kind}`), standing && t(`activity.standing-${standing}`)].filter(
      (one) => one,
    ) as string[]
  })

  /** One question at a time: whatever was typed meanwhile is asked after it. */
  async read(): Promise<void> {
    await this.answer.askInTurn(async () => {
      const { search, kind, standing, most } = this
      const found = await this.call('list_activity', { search, kind, standing, most })
      return { found, searched: search.trim() }
    })
  }

  /** A window of rows could not be read. */
  fail(thrown: unknown): void {
    this.answer.fail(thrown)
  }

  async showMore(): Promise<void> {
    this.most += PAGE
    await this.read()
  }

  clearFilters(): void {
    this.kind = null
    this.standing = null
  }

  /** What is under way comes first to the eye, unless another was chosen; it stays when it is settled. */
  choose(): void {
    if (route.operation && (this.open || route.operation === this.asked)) return
    const first = operations.unconfirmed[0] ?? operations.all.find((one) => one.isOpen)
    if (!route.operation && first) route.operation = first.id
  }

  private asked: string | null = null

  /** Reads the card that is wanted, where it is not among the newest. */
  async readOther(): Promise<void> {
    const id = route.operation
    if (!id || operations.all.some((one) => one.id === id)) return
    this.asked = id
    const operation = await this.other.ask(async () => (await this.call('operations_of', [id]))[0] ?? null)
    // Of another connection: it is not shown.
    if (operation === undefined && this.other.error && route.operation === id) route.operation = null
  }
}
