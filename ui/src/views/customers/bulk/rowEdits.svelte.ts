/** The rows of a draft that are changed in place: one as a line, others by the customer they mean. */
import type { DraftAnswer } from '../../../bindings/DraftAnswer'
import type { DraftRow } from '../../../bindings/DraftRow'
import type { Act } from './acts'

type Form = {
  readonly act: Act
  readonly starting: boolean
  answer: (answer: DraftAnswer) => Promise<void>
}

export class RowEdits {
  /** The row that is being edited, its text, and the text that it had; null: none. */
  editing = $state<{ at: number; text: string; was: string } | null>(null)
  /** Whether the row that is being edited has another text than before. */
  readonly rewriting = $derived(this.editing !== null && this.editing.text !== this.editing.was)
  /** Customers chosen in a list but not confirmed, by row: arrow keys pass others on the way. */
  meant = $state<Record<number, string>>({})

  constructor(private readonly form: Form) {}

  /** Drops what an answer was about. After another text, rows may stand at other places. */
  note(answer: DraftAnswer): void {
    if (answer.answer === 'text') this.forget()
    if (answer.answer === 'meant') delete this.meant[answer.at]
  }

  /** Drops what was begun: other rows are drafted. */
  forget(): void {
    this.editing = null
    this.meant = {}
  }

  /** The customer selected in a row's list: the person's choice, or else the suggestion; empty if there is neither. */
  meantBy(at: number, { suggested }: DraftRow): string {
    return this.meant[at] ?? suggested ?? ''
  }

  /** Answers who a row means with the customer that is chosen in its list. */
  async takeMeant(at: number, row: DraftRow): Promise<void> {
    const [customerId, was] = [this.meantBy(at, row), row.text]
    if (customerId) await this.form.answer({ answer: 'meant', at, customerId, was })
  }

  /** Whether a row was typed, so that it can be edited as a line. Passwords are never shown to be edited. */
  isTyped({ line }: DraftRow): boolean {
    return line > 0 && this.form.act !== 'password'
  }

  /** Begins to edit a row, unless another one has a text that is not saved yet. */
  edits(at: number, row: DraftRow): void {
    if (this.form.starting || this.rewriting || !this.isTyped(row)) return
    this.editing = { at, text: row.text, was: row.text }
  }

  /** Reads the edited row again, as a line. */
  async rewrite(): Promise<void> {
    const { editing } = this
    if (editing) await this.form.answer({ answer: 'text', ...editing })
  }
}
