/** Messages outside any view: confirmations, errors, and reports about damaged files. */
import type { CommandError } from '../bindings/CommandError'
import type { Restorations } from '../bindings/Restorations'
import type { SavedFile } from '../bindings/SavedFile'
import { t } from './i18n.svelte'
import { type Call, call } from './ipc'

/** How long a confirmation is shown, in ms. */
const BRIEF = 4000
/** How long one with buttons is shown. */
const LONG = 20_000

export class Notices {
  /** A short confirmation, which disappears by itself; empty: none. */
  toast = $state('')
  /** The saved file that the confirmation offers to open; null: none. */
  file = $state.raw<SavedFile | null>(null)
  /** An error outside any view; null: none. */
  error = $state.raw<CommandError | null>(null)
  /** What was done about damaged files, until the user has read it; null: not known yet. */
  restorations = $state.raw<Restorations | null>(null)
  /** Whether there is a report about damaged files that the user has not read. */
  readonly isRestored = $derived(
    this.restorations !== null && (this.restorations.app !== null || this.restorations.journal.length > 0),
  )

  private going: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly call: Call) {}

  notify(words: string): void {
    this.toast = words
    this.file = null
    this.goIn(BRIEF)
  }

  /** Offers to open the file that a confirmation is about, unless another one is shown by now. */
  offer(words: string, file: SavedFile): void {
    if (this.toast !== words) return
    this.file = file
    this.goIn(LONG)
  }

  /** Keeps the confirmation while it has the pointer or the focus. */
  hold(): void {
    clearTimeout(this.going)
  }

  /** Lets it go a while after the pointer or the focus has left. */
  release(): void {
    if (this.toast) this.goIn(this.file ? LONG : BRIEF)
  }

  dismiss(): void {
    clearTimeout(this.going)
    this.toast = ''
    this.file = null
  }

  private goIn(ms: number): void {
    clearTimeout(this.going)
    this.going = setTimeout(() => this.dismiss(), ms)
  }

  async readRestorations(): Promise<void> {
    this.restorations = await this.call('restorations', null)
  }

  /** Records that the user has read the report about damaged files. */
  async seen(): Promise<void> {
    await this.call('restorations_seen', null)
    this.restorations = null
  }

  /** Copies the details of an error and confirms it. */
  async copy(details: string): Promise<void> {
    await this.call('copy_text', details)
    this.notify(t('common.copied'))
  }
}

export const notices = new Notices(call)
