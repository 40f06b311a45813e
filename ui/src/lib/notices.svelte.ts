/** Messages outside any view: confirmations, errors, and reports about damaged files. */
import type { CommandError } from '../bindings/CommandError'
import type { Restorations } from '../bindings/Restorations'
import { t } from './i18n.svelte'
import { type Call, call } from './ipc'

/** How long a confirmation is shown, in ms. */
const BRIEF = 4000

export class Notices {
  /** A short confirmation, which disappears by itself; empty: none. */
  toast = $state('')
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
    clearTimeout(this.going)
    this.going = setTimeout(() => (this.toast = ''), BRIEF)
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
