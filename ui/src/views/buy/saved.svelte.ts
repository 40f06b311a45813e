/** Saved configurations: places and options of a purchase under a name. */
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import type { SavedPurchase } from '../../bindings/SavedPurchase'
import { fieldError } from '../../lib/errors'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'

export class Saved {
  private readonly reading = new Resource<SavedPurchase[]>([])
  readonly all = $derived(this.reading.value)
  readonly busy = $derived(this.reading.busy)
  /** The name as typed, for a new one or in place of another. */
  name = $state('')
  /** The number of the one that is being renamed; null: none. */
  renaming = $state<number | null>(null)
  readonly nameError = $derived(fieldError(this.reading.error, 'saved-name'))
  /** Whether the typed name is that of another, which can be replaced. */
  readonly isTaken = $derived.by(() => {
    const { error } = this.reading
    return error?.code === 'invalid' && error.about.field === 'saved-name' && error.about.why === 'taken'
  })
  /** An error that belongs to no field; null: none. */
  readonly error = $derived(this.reading.error?.code === 'invalid' ? null : this.reading.error)

  constructor(private readonly call: Call) {}

  async load(): Promise<void> {
    await this.reading.ask(() => this.call('saved_purchases', null))
  }

  /** Begins a dialog: nothing is typed, nothing is wrong. */
  begin(): void {
    this.name = ''
    this.renaming = null
    this.reading.error = null
  }

  /** Takes typed text. What was wrong with the text before is no longer. */
  type(): void {
    this.reading.error = null
  }

  /** Saves a purchase under the typed name; if another has it, only in its place. Returns whether it was saved. */
  async save(config: PurchaseConfig): Promise<boolean> {
    const draft = { name: this.name, config, replace: this.isTaken }
    return this.change(() => this.call('save_purchase', draft))
  }

  startRenaming({ id, name }: SavedPurchase): void {
    this.begin()
    this.renaming = id
    this.name = name
  }

  async rename(): Promise<boolean> {
    const { renaming: id, name } = this
    if (id === null) return false
    return this.change(() => this.call('rename_purchase', { id, name }))
  }

  async remove(id: number): Promise<boolean> {
    return this.change(() => this.call('delete_purchase', id))
  }

  private async change(ask: () => Promise<SavedPurchase[]>): Promise<boolean> {
    const done = (await this.reading.ask(ask)) !== undefined
    if (done) this.begin()
    return done
  }
}
