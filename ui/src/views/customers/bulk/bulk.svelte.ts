/** A bulk, from the pasted lines to the last row. */
import type { BulkAct } from '../../../bindings/BulkAct'
import type { BulkOffered } from '../../../bindings/BulkOffered'
import type { BulkSource } from '../../../bindings/BulkSource'
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftAnswer } from '../../../bindings/DraftAnswer'
import type { DraftTotals } from '../../../bindings/DraftTotals'
import type { DroppedFile } from '../../../bindings/DroppedFile'
import { t } from '../../../lib/i18n.svelte'
import type { Call } from '../../../lib/ipc'
import { notices } from '../../../lib/notices.svelte'
import { operations } from '../../../lib/operations.svelte'
import { Resource, Work } from '../../../lib/resource.svelte'
import { ACTS, type Act, actOf } from './acts'
import { Answers } from './answers.svelte'
import { ListFile } from './file.svelte'
import { Pasted } from './pasted.svelte'
import { RowEdits } from './rowEdits.svelte'
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
  readonly answers = new Answers()
  readonly rows = new RowEdits(this)
  /** Whether something is typed that is not in the offer. */
  readonly unsaved = $derived(this.rows.editing !== null || this.answers.unsaved)
  private readonly offering = new Resource<BulkOffered | null>(null)
  readonly offered = $derived(this.offering.value)
  private readonly confirming = new Work()
  readonly starting = $derived(this.confirming.busy)
  private readonly controlling = new Work()
  onlyProblems = $state(false)
  /** Counts drafts, because rows of an earlier one are not valid any more. */
  version = $state(0)
  /** Whether the preview was left, and not judged again since. */
  left = $state(false)
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
  private readonly pasted = new Pasted()
  /** The number of views that show it. */
  private views = 0
  /** Where the rows of the draft come from. */
  private from: BulkSource['from'] = 'text'

  readonly moves = $derived(this.act === 'recharge' || this.act === 'deduct')
  /** Whether each selected customer gets what they lack until a day. */
  readonly lasts = $derived.by(() => this.selected && this.act === 'recharge' && this.until.on)
  readonly selected = $derived(this.ids.length > 0 && this.act !== 'create')

  constructor(
    private readonly call: Call,
    ids: string[],
    id: string | null,
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
    // What holds passwords does not become rows of another action.
    if (this.act === 'password' && act !== 'password') this.file.remove()
    this.pasted.choose(act)
  }
  get text(): string {
    return this.pasted.text
  }
  set text(text: string) {
    this.pasted.text = text
  }

  /** Shows the form in a view. A bulk that has started meanwhile makes room for another. */
  async enter(): Promise<void> {
    this.views++
    if (this.view) this.begin()
    await this.judge()
  }

  /** Leaves a view. The next one of the same form opens before the last one closes. */
  leave(): void {
    this.views--
    if (this.views < 1 && !this.starting) this.putAway()
  }

  /** Keeps a preview with its answers, unless it may hold passwords. An offer goes. */
  private putAway(): void {
    if (!this.view) this.id = null
    // Rows that are done again may be done elsewhere meanwhile.
    const stays = !this.view && this.from !== 'again' && this.act !== 'password' && this.act !== 'create'
    if (!stays) this.edit()
    this.withdraw()
    this.draft.drop()
    this.controlling.drop()
    this.left = this.totals !== null
    if (this.left) return
    // Without its preview, a file would be one of another action.
    this.file.remove()
    this.pasted.leave()
  }

  /** Judges a preview that was left again: its figures are of then, so it is not shown before. */
  async judge(): Promise<void> {
    const { totals } = this
    if (!this.left || !totals) return
    this.withdraw()
    await this.take(() => this.call('judge_draft', totals.draft))
    // Another draft took its place; the lines are still there.
    if (this.left && this.draft.error?.code === 'changed') this.backToLines()
  }

  /** Gives up the preview, and shows the lines that it was made of. */
  private backToLines(): void {
    this.left = false
    this.draft.value = null
  }

  /** Begins another bulk. */
  private begin(): void {
    this.controlling.drop()
    this.view = null
    this.id = null
    this.edit()
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
    this.begin()
    this.act = actOf(view.kind, view.active ?? false)
    await this.drawUp({ from: 'again', bulk: view.id })
  }

  private async drawUp(source: BulkSource): Promise<void> {
    this.withdraw()
    this.file.isDrafted = false
    this.from = source.from
    this.backToLines()
    this.rows.forget()
    this.answers.forget()
    const asked = { ...ACTS[this.act], source }
    await this.take((signal) => this.call('draft_bulk', asked, signal))
  }

  /** Answers a question of the draft, one at a time: an answer belongs to the rows on screen. */
  async answer(answer: DraftAnswer): Promise<void> {
    const { totals } = this
    if (this.draft.busy || !totals) return
    this.withdraw()
    await this.take(async () => {
      const judged = await this.call('answer_draft', { draft: totals.draft, answer })
      // Also if the form was left meanwhile.
      if (this.totals?.draft === judged.draft) this.answers.note(answer)
      this.rows.note(answer)
      return judged
    })
    // The draft is as it was, and so can be sent.
    if (this.draft.error) await this.offerGood()
  }

  /** Drops what is typed and not in the offer. */
  discard(): void {
    this.rows.editing = null
    this.answers.discard()
  }

  /** Takes a draft, and asks for an offer if there is something to send. */
  private async take(question: (signal: AbortSignal) => Promise<DraftTotals>): Promise<void> {
    const isFirst = this.totals === null
    const taken = await this.draft.ask(question, (totals) => {
      // Show the action that the program drafted, because that is what is confirmed.
      this.act = actOf(totals.kind, totals.active)
      if (isFirst) this.onlyProblems = totals.good === 0
      this.version++
      this.left = false
      this.typed = ''
      if (totals.comma) this.answers.commaAsked = totals.comma
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
    this.draft.drop()
    this.backToLines()
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
        if (this.views < 1 || !(await this.offer())) this.offering.value = null
        if (this.offering.error?.code === 'changed') this.backToLines()
        this.offering.error = null
        throw thrown
      }
    })
    if (this.views < 1) this.putAway()
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
      const now = await this.call('act_on_bulk', { id: view.id, act })
      if (this.view?.id === now.id) this.view = now
    })
  }

  /** Reads rows of the draft from an index on. */
  readonly draftRows = (draft: number, onlyProblems: boolean) => (first: number, count: number) =>
    this.call('draft_rows', { draft, first, count, onlyProblems })

  /** Shows that a window of rows could not be read. */
  fail(thrown: unknown): void {
    this.draft.fail(thrown)
  }
}

/** The bulk for pasted lines. It outlives its view, but not the connection. */
export class PastedBulk extends Bulk {
  constructor(call: Call) {
    super(call, [], null)
  }
}
