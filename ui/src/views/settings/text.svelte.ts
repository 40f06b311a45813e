/** A text to read: the licence notices, or the report before it is saved. */

import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Resource, Work } from '../../lib/resource.svelte'
import { savedFiles } from '../../lib/savedFiles.svelte'

export class ProgramText {
  readonly text = new Resource('')
  private readonly saving = new Work()
  readonly error = $derived(this.saving.error ?? this.text.error)

  constructor(private readonly call: Call) {}

  async read(what: 'notices' | 'report'): Promise<void> {
    await this.text.ask(() => this.call(what === 'notices' ? 'notices' : 'preview_report', null))
  }

  /** Saves the report. Returns whether that succeeded. */
  async save(): Promise<boolean> {
    return this.saving.attempt(async () => {
      const path = await this.call('save_report', null)
      void savedFiles.announce(t('settings.report-saved', { path }), path)
    })
  }
}
