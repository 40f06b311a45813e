/** The agent's note about a customer, as typed. */
import type { CustomerRow } from '../../bindings/CustomerRow'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { notices } from '../../lib/notices.svelte'
import { Work } from '../../lib/resource.svelte'

export class Note {
  text = $state('')
  /** Tags as typed, separated by commas of any kind. */
  typedTags = $state('')
  readonly saving = new Work()

  /** What it began with, or was saved as last. */
  private saved = $state.raw({ text: '', typedTags: '' })

  constructor(
    private readonly call: Call,
    row: CustomerRow,
  ) {
    this.text = row.note
    this.typedTags = row.tags.join(', ')
    this.remember()
  }

  // Getters: the note outlives the page that made it, and a derived of that page would stand still.
  private get tags(): string[] {
    const tags = this.typedTags.split(/[,，、;；\n]/).map((tag) => tag.trim())
    return [...new Set(tags.filter(Boolean))]
  }

  /** Whether something is typed and not saved yet. */
  get isTyped(): boolean {
    return this.text !== this.saved.text || this.typedTags !== this.saved.typedTags
  }

  private remember(): void {
    this.saved = { text: this.text, typedTags: this.typedTags }
  }

  /** Whether the typed text differs from the saved one. */
  differs(row: CustomerRow): boolean {
    return this.text !== row.note || this.tags.join('\n') !== row.tags.join('\n')
  }

  /** Saves it. Returns whether that succeeded. */
  async save({ customerId }: CustomerRow): Promise<boolean> {
    const note = { note: this.text, tags: this.tags }
    const saved = await this.saving.attempt(() => this.call('save_note', { customerId, note }))
    if (saved) {
      this.remember()
      notices.notify(t('customers.noted'))
    }
    return saved
  }
}
