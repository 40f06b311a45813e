/** Activity: what was done, searched and filtered by the program; a bulk is one entry. */
import type { Activity as Found } from '../../bindings/Activity'
import type { ActivityStanding } from '../../bindings/ActivityStanding'
import type { CommandError } from '../../bindings/CommandError'
import type { OperationKind } from '../../bindings/OperationKind'
import type { OperationView } from '../../bindings/OperationView'
import { app } from '../../lib/app.svelte'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call } from '../../lib/ipc'
import { isOpen } from '../../lib/operations'

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
  found = $state.raw<Found | null>(null)
  /** The words that `found` answers. */
  searched = $state('')
  error = $state<CommandError | null>(null)
  /** The bulk whose rows are shown. */
  unfolded = $state<string | null>(null)
  /** A row of a bulk, or an older operation, that is open. */
  private other = $state.raw<OperationView | null>(null)
  private most = PAGE
  private reading = false
  private again = false

  readonly entries = $derived(this.found?.entries ?? [])
  readonly more = $derived(this.found !== null && this.entries.length < this.found.total)
  /** The operation whose card is shown. */
  readonly open = $derived.by(() => {
    const known = app.operations.find((one) => one.id === app.shown)
    return known ?? (this.other?.id === app.shown ? this.other : null)
  })
  /** The filters in force, in words. */
  readonly filters = $derived.by(() => {
    const { kind, standing } = this
    return [kind && t(`activity.kind-${kind}`), standing && t(`activity.standing-${standing}`)].filter(
      (one) => one,
    ) as string[]
  })

  /** One question at a time: whatever was typed meanwhile is asked behind it. */
  async read(): Promise<void> {
    if (this.reading) {
      this.again = true
      return
    }
    this.reading = true
    const { search, kind, standing, most } = this
    try {
      this.found = await call('list_activity', { search, kind, standing, most })
      this.searched = search.trim()
      this.error = null
    } catch (thrown) {
      this.error = asCommandError(thrown)
    } finally {
      this.reading = false
    }
    if (this.again) {
      this.again = false
      await this.read()
    }
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
    if (app.shown && (this.open || app.shown === this.asked)) return
    const first = app.unconfirmed[0] ?? app.operations.find(isOpen)
    if (!app.shown && first) app.shown = first.id
  }

  private asked: string | null = null

  /** Reads the card that is wanted, where it is not among the newest. */
  async readOther(): Promise<void> {
    const id = app.shown
    if (!id || app.operations.some((one) => one.id === id)) return
    this.asked = id
    try {
      const [operation] = await call('operations_of', [id])
      if (operation && app.shown === id) this.other = operation
    } catch {
      // Of another connection: it is not shown.
      if (app.shown === id) app.shown = null
    }
  }
}
