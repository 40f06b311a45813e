/** A bulk, from the pasted lines to the last row. */
import type { BulkAct } from '../../../bindings/BulkAct'
import type { BulkOffered } from '../../../bindings/BulkOffered'
import type { BulkSource } from '../../../bindings/BulkSource'
import type { BulkView } from '../../../bindings/BulkView'
import type { Comma } from '../../../bindings/Comma'
import type { CommaQuestion } from '../../../bindings/CommaQuestion'
import type { DraftAnswer } from '../../../bindings/DraftAnswer'
import type { DraftRow } from '../../../bindings/DraftRow'
import type { DraftTotals } from '../../../bindings/DraftTotals'
import type { DroppedFile } from '../../../bindings/DroppedFile'
import type { TrafficUnit } from '../../../bindings/TrafficUnit'
import { t } from '../../../lib/i18n.svelte'
import type { Call } from '../../../lib/ipc'
import { notices } from '../../../lib/notices.svelte'
import { operations } from '../../../lib/operations.svelte'
import { Resource, Work } from '../../../lib/resource.svelte'
import { ACTS, type Act, actOf } from './acts'
import { ListFile } from './file.svelte'
import { Pasted } from './pasted.svelte'
import { Until } from './until.svelte'

export class Bulk {
  gb = $state('')
  typed = $state('')
  /** The file with the rows, if they are in a file. */
  readonly file: ListFile
  readonly until: Until
  /** The draft that the program made of the rows. A new source or answer replaces it. */
  readonly draft = new Resource<DraftTotals | null>(null)
  readonly totals = $derived(this.draft.value)
  /** The answers that are for all rows. They stay on screen, so that they can be changed. */
  given = $state<{ unit?: TrafficUnit; comma?: Comma; each?: string }>({})
  /** The amount for names alone, as typed. */
  each = $state('')
  /** What was asked about commas; null: nothing yet. */
  commaAsked = $state.raw<CommaQuestion | null>(null)
  /** The row that is being edited, its text, and the text that it had; null: none. */
  editing = $state<{ at: number; text: string; was: string } | null>(null)
  /** Whether the row that is being edited has another text than before. */
  readonly rewriting = $derived(this.editing !== null && this.editing.text !== this.editing.was)
  /** Whether something is typed that is not in the offer. */
  readonly unsaved = $derived.by(
    () => this.editing !== null || (this.given.each ?? this.each).trim() !== this.each.trim(),
  )
  /** Customers chosen in a list but not confirmed, by row: arrow keys pass others on the way. */
  meant = $state<Record<number, string>>({})
  private readonly offering = new Resource<BulkOffered | null>(null)
  readonly offered = $derived(this.offering.value)
  private readonly confirming = new Work()
  readonly starting = $derived(this.confirming.busy)
  private readonly controlling = new Work()
  onlyProblems = $state(false)
  /** Counts drafts, because rows of an earlier one are not valid any more. */
  version = $state(0)
  view = $state.raw<BulkView | null>(null)
  private readonly list = new Resource<BulkView[]>([], { quiet: true })
  readonly earlier = $derived(this.list.value)
  readonly error = $derived(
    this.confirming.error ??
      this.controlling.error ??
      this.draft.error ??
      this.offering.error ??
      this.list.error,
  )

  /** The ids of selected customers; empty: lines are pasted. */
  readonly ids: string[] = $state.raw([])
  private id: string | null

  readonly moves = $derived(this.act === 'recharge' || this.act === 'deduct')
  /** Whether each selected customer gets what they lack until a day. */
  readonly lasts = $derived.by(() => this.selected && this.act === 'recharge' && this.until.on)
  readonly selected = $derived(this.ids.length > 0 && this.act !== 'create')

  constructor(
    private readonly call: Call,
    ids: string[],
    id: string | null,
    private readonly pasted = new Pasted(),
  ) {
    this.ids = ids
    this.id = id
    this.until = new Until(call)
    this.file = new ListFile({
      read: async (source) => {
        await this.drawUp(source)
        this.file.isDrafted = true
        return this.draft.error
      },
      refuse: (error) => {
        this.forget()
        this.draft.fail(error)
      },
    })
  }

  get act(): Act {
    return this.pasted.act
  }
  set act(act: Act) {
    this.pasted.choose(act)
  }
  get text(): string {
    return this.pasted.text
  }
  set text(text: string) {
    this.pasted.text = text
  }

  /** Leaves the form: what is pasted in it may stay. */
  leave(): void {
    this.pasted.leave()
  }

  async preview(): Promise<void> {
    const { ids, gb, text, until } = this
    if (this.lasts) await this.drawUp({ from: 'until', ids, until: until.day })
    else await this.drawUp(this.selected ? { from: 'selected', ids, gb } : { from: 'text', text })
  }

  /** Takes a file that was dropped on the window. An open preview is not replaced without a question. */
  async drop(file: DroppedFile): Promise<void> {
    if (this.view || this.starting) notices.notify(t('drop.covered'))
    else await this.file.drop(file, this.totals !== null)
  }

  /** Prepares a new bulk of the rows that were certainly not done. */
  async again(view: BulkView): Promise<void> {
    this.act = actOf(view.kind, view.active ?? false)
    this.view = null
    this.id = null
    await this.drawUp({ from: 'again', bulk: view.id })
  }

  private async drawUp(source: BulkSource): Promise<void> {
    this.withdraw()
    this.file.isDrafted = false
    this.draft.value = null
    this.given = {}
    this.each = ''
    this.commaAsked = null
    const asked = { ...ACTS[this.act], source }
    await this.take((signal) => this.call('draft_bulk', asked, signal))
  }

  /** Answers a question of the draft, one at a time: an answer belongs to the rows on screen. */
  async answer(answer: DraftAnswer): Promise<void> {
    if (this.draft.busy) return
    this.withdraw()
    await this.take(
      () => this.call('answer_draft', answer),
      () => this.note(answer),
    )
    // The draft is as it was, and so can be sent.
    if (this.draft.error) await this.offerGood()
  }

  private note(answer: DraftAnswer): void {
    if (answer.answer === 'unit') this.given.unit = answer.unit
    if (answer.answer === 'comma') this.given.comma = answer.comma
    if (answer.answer === 'each') this.given.each = answer.gb
  }

  /** The customer selected in a row's list: the person's choice, or else the suggestion; empty if there is neither. */
  meantBy(at: number, { suggested }: DraftRow): string {
    return this.meant[at] ?? suggested ?? ''
  }

  /** Answers who a row means with the customer that is chosen in its list. */
  async takeMeant(at: number, row: DraftRow): Promise<void> {
    const [customerId, was] = [this.meantBy(at, row), row.text]
    if (customerId) await this.answer({ answer: 'meant', at, customerId, was })
  }

  /** Drops what is typed and not in the offer. */
  discard(): void {
    this.editing = null
    this.each = this.given.each ?? this.each
  }

  /** Whether a row was typed, so that it can be edited as a line. Passwords are never shown to be edited. */
  isTyped({ line }: DraftRow): boolean {
    return line > 0 && this.act !== 'password'
  }

  /** Begins to edit a row, unless another one has a text that is not saved yet. */
  edits(at: number, row: DraftRow): void {
    if (this.starting || this.rewriting || !this.isTyped(row)) return
    this.editing = { at, text: row.text, was: row.text }
  }

  /** Reads the edited row again, as a line. */
  async rewrite(): Promise<void> {
    const { editing } = this
    if (editing) await this.answer({ answer: 'text', ...editing })
  }

  /** Takes a draft, and asks for an offer if there is something to send. `note` runs as soon as it is on screen. */
  private async take(
    question: (signal: AbortSignal) => Promise<DraftTotals>,
    note?: () => void,
  ): Promise<void> {
    const isFirst = this.totals === null
    const taken = await this.draft.ask(question, (totals) => {
      // Show the action that the program drafted, because that is what is confirmed.
      this.act = actOf(totals.kind, totals.active)
      if (isFirst) this.onlyProblems = totals.good === 0
      this.version++
      this.typed = ''
      // These belong to rows by their places, which may be others now.
      this.editing = null
      this.meant = {}
      this.commaAsked = totals.comma ?? this.commaAsked
      note?.()
    })
    if (taken) await this.offerGood()
  }

  private async offerGood(): Promise<void> {
    if (this.totals && this.totals.good > 0 && !this.totals.beyondOwn) await this.offer()
  }

  private async offer(): Promise<BulkOffered | null | undefined> {
    const draft = this.totals?.draft ?? 0
    return this.offering.ask(() => this.call('offer_bulk', draft))
  }

  /** Drops the offer, which belongs to other rows. */
  private withdraw(): void {
    this.forget()
    this.offering.drop()
    this.offering.value = null
  }

  /** Clears errors: they belong to the last action. */
  private forget(): void {
    for (const one of [this.draft, this.offering, this.confirming, this.controlling, this.list])
      one.error = null
  }

  /** Goes back to the typed lines. */
  edit(): void {
    this.withdraw()
    this.draft.value = null
  }

  /** Starts the bulk once: one press spends the offer. */
  async start(): Promise<void> {
    const { offered } = this
    if (!offered || this.starting || this.unsaved) return
    this.forget()
    await this.confirming.once(async () => {
      try {
        this.view = await this.call('confirm_bulk', { token: offered.token, typed: this.typed })
        this.id = this.view.id
        // The pasted text may contain passwords.
        this.text = ''
        this.file.remove()
      } catch (thrown) {
        // The offer is spent or has expired, so get a new one for the same rows.
        if (!(await this.offer())) this.offering.value = null
        this.offering.error = null
        throw thrown
      }
    })
    await operations.read()
  }

  async read(): Promise<void> {
    await this.list.ask(
      () => this.call('list_bulks', null),
      (all) => {
        this.view = all.find((one) => one.id === this.id) ?? this.view
      },
    )
  }

  open(id: string): void {
    this.id = id
    void this.read()
  }

  async control(act: BulkAct): Promise<void> {
    const { view } = this
    if (!view) return
    this.forget()
    // A pending answer is about an older state.
    this.list.drop()
    await this.controlling.attempt(async () => {
      this.view = await this.call('act_on_bulk', { id: view.id, act })
    })
  }

  /** Reads rows of the draft from an index on. */
  readonly draftRows = (onlyProblems: boolean) => (first: number, count: number) =>
    this.call('draft_rows', { first, count, onlyProblems })

  /** Shows that a window of rows could not be read. */
  fail(thrown: unknown): void {
    this.draft.fail(thrown)
  }
}
