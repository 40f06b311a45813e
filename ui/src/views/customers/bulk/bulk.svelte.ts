/** A bulk, from what is pasted to its last row. */
import type { BulkAct } from '../../../bindings/BulkAct'
import type { BulkOffered } from '../../../bindings/BulkOffered'
import type { BulkSource } from '../../../bindings/BulkSource'
import type { BulkView } from '../../../bindings/BulkView'
import type { CommandError } from '../../../bindings/CommandError'
import type { DraftAnswer } from '../../../bindings/DraftAnswer'
import type { DraftTotals } from '../../../bindings/DraftTotals'
import type { OperationKind } from '../../../bindings/OperationKind'
import { app } from '../../../lib/app.svelte'
import { asCommandError, call, failure } from '../../../lib/ipc'
import { Wait } from '../../../lib/wait.svelte'

/** What can be done with many at once, by the ids of its choice. */
export const ACTS = {
  recharge: { kind: 'recharge', active: false },
  deduct: { kind: 'deduction', active: false },
  password: { kind: 'password', active: false },
  enable: { kind: 'status', active: true },
  disable: { kind: 'status', active: false },
  create: { kind: 'create', active: false },
} as const satisfies Record<string, { kind: OperationKind; active: boolean }>
export type Act = keyof typeof ACTS

function actOf(kind: OperationKind, active: boolean): Act {
  const acts = Object.entries(ACTS) as [Act, (typeof ACTS)[Act]][]
  return acts.find(([, act]) => act.kind === kind && act.active === active)?.[0] ?? 'recharge'
}

/** Larger files are no lists of customers. */
const LARGEST = 16 * 1024 * 1024

export class Bulk {
  act = $state<Act>('recharge')
  text = $state('')
  gb = $state('')
  typed = $state('')
  /** The name of the file that was read. */
  file = $state('')
  totals = $state.raw<DraftTotals | null>(null)
  offered = $state.raw<BulkOffered | null>(null)
  error = $state<CommandError | null>(null)
  starting = $state(false)
  onlyProblems = $state(false)
  /** Counts drafts: rows of an earlier one are no rows of this. */
  version = $state(0)
  view = $state.raw<BulkView | null>(null)
  earlier = $state.raw<BulkView[]>([])
  readonly wait = new Wait()

  /** Customers that were selected; empty means that lines are pasted. */
  readonly ids: string[] = $state.raw([])
  private id: string | null
  private asked = 0

  readonly moves = $derived(this.act === 'recharge' || this.act === 'deduct')
  readonly selected = $derived(this.ids.length > 0 && this.act !== 'create')

  constructor(ids: string[], id: string | null) {
    this.ids = ids
    this.id = id
  }

  async preview(): Promise<void> {
    await this.draft(
      this.selected ? { from: 'selected', ids: this.ids, gb: this.gb } : { from: 'text', text: this.text },
    )
  }

  async readFile(file: File): Promise<void> {
    if (file.size > LARGEST) {
      this.error = invalid('bulk-file', 'too-large')
      return
    }
    this.file = file.name
    const bytes = new Uint8Array(await file.arrayBuffer())
    let text = ''
    for (let at = 0; at < bytes.length; at += 32_768) {
      text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
    }
    await this.draft({ from: 'file', base64: btoa(text) })
  }

  /** "Retry only what is certainly not done", as a preview of its own. */
  async again(view: BulkView): Promise<void> {
    this.act = actOf(view.kind, view.active ?? false)
    this.view = null
    this.id = null
    await this.draft({ from: 'again', bulk: view.id })
  }

  private async draft(source: BulkSource): Promise<void> {
    this.error = null
    this.totals = null
    this.offered = null
    try {
      const asked = { ...ACTS[this.act], source }
      await this.show(await this.wait.run((signal) => call('draft_bulk', asked, signal)))
    } catch (thrown) {
      this.error = failure(thrown)
    }
  }

  /** The confirmation is spent, or was open too long: a new one of the very same rows. */
  private async offerAgain(): Promise<void> {
    try {
      this.offered = await call('offer_bulk', null)
    } catch {
      this.offered = null
    }
  }

  async answer(answer: DraftAnswer): Promise<void> {
    this.error = null
    this.offered = null
    try {
      await this.show(await call('answer_draft', answer))
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  private async show(totals: DraftTotals): Promise<void> {
    // What is confirmed is what the program has made of it, whatever was chosen meanwhile.
    this.act = actOf(totals.kind, totals.active)
    if (!this.totals) this.onlyProblems = totals.good === 0
    this.totals = totals
    this.version++
    this.typed = ''
    this.offered = totals.good > 0 && !totals.beyondOwn ? await call('offer_bulk', null) : null
  }

  /** Back to what is typed. */
  edit(): void {
    this.totals = null
    this.offered = null
    this.error = null
  }

  async start(): Promise<void> {
    if (!this.offered || this.starting) return
    this.starting = true
    this.error = null
    try {
      this.view = await call('confirm_bulk', { token: this.offered.token, typed: this.typed })
      this.id = this.view.id
      // What was pasted may hold passwords.
      this.text = ''
    } catch (thrown) {
      this.error = asCommandError(thrown)
      await this.offerAgain()
    } finally {
      this.starting = false
      await app.readOperations()
    }
  }

  async read(): Promise<void> {
    const asked = ++this.asked
    try {
      const all = await call('list_bulks', null)
      // An older answer tells of an older state.
      if (asked !== this.asked) return
      this.earlier = all
      this.view = all.find((one) => one.id === this.id) ?? this.view
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  open(id: string): void {
    this.id = id
    void this.read()
  }

  async control(act: BulkAct): Promise<void> {
    if (!this.view) return
    this.error = null
    this.asked++
    try {
      this.view = await call('act_on_bulk', { id: this.view.id, act })
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }
}

function invalid(field: string, why: string): CommandError {
  const details = { vendorCode: null, vendorMessage: null, traceId: null, technical: null, near: null }
  return { code: 'invalid', field: [field, why], details }
}
