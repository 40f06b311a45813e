/** What is said outside of any view: a short confirmation, an error, what was done about damaged files. */
import type { CommandError } from '../bindings/CommandError'
import type { Restorations } from '../bindings/Restorations'
import { t } from './i18n.svelte'
import { type Call, call } from './ipc'

/** A confirmation goes by itself after so long, in ms. */
const BRIEF = 4000

export class Notices {
  /** A short confirmation that goes by itself. */
  toast = $state('')
  /** What went wrong outside of any view. */
  error = $state.raw<CommandError | null>(null)
  /** What was done about damaged files, until it was read. */
  restorations = $state.raw<Restorations | null>(null)
  /** Something was done about damaged files that was not read yet. */
  readonly isRestored = $derived(
    this.restorations !== null && (this.restorations.app !== null || this.restorations.journal.length > 0),
  )

  private going: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly call: Call) {}

  notify(words: string): void {
    this.toast = words
    clearTimeout(this.going)
    this.going = setTimeout(() => (this.toast = ''), BRIEF)
  }

  async readRestorations(): Promise<void> {
    this.restorations = await this.call('restorations', null)
  }

  /** A person has read what was done about damaged files. */
  async seen(): Promise<void> {
    await this.call('restorations_seen', null)
    this.restorations = null
  }

  /** Copies details of an error, and says so. */
  async copy(details: string): Promise<void> {
    await this.call('copy_text', details)
    this.notify(t('common.copied'))
  }
}

export const notices = new Notices(call)
