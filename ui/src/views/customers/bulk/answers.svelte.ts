/** The answers of a draft that are for all rows. They stay on screen, so that they can be changed. */
import type { Comma } from '../../../bindings/Comma'
import type { CommaQuestion } from '../../../bindings/CommaQuestion'
import type { DraftAnswer } from '../../../bindings/DraftAnswer'
import type { TrafficUnit } from '../../../bindings/TrafficUnit'

export class Answers {
  given = $state<{ unit?: TrafficUnit; comma?: Comma; each?: string }>({})
  /** The amount for names alone, as typed. */
  each = $state('')
  /** What was asked about commas; null: nothing yet. */
  commaAsked = $state.raw<CommaQuestion | null>(null)
  /** Whether an amount is typed that is not in the draft. */
  readonly unsaved = $derived((this.given.each ?? this.each).trim() !== this.each.trim())

  note(answer: DraftAnswer): void {
    if (answer.answer === 'unit') this.given.unit = answer.unit
    if (answer.answer === 'comma') this.given.comma = answer.comma
    if (answer.answer === 'each') this.given.each = answer.gb
  }

  /** Drops an amount that is typed and not in the draft. */
  discard(): void {
    this.each = this.given.each ?? this.each
  }

  /** Drops everything: other rows are drafted. */
  forget(): void {
    this.given = {}
    this.each = ''
    this.commaAsked = null
  }
}
