/** Saving the current view as a file. */

import { t } from './i18n.svelte'
import { notices } from './notices.svelte'
import { Work } from './resource.svelte'

export class Export {
  readonly file = new Work()

  /** Writes the file with `save`, which returns its path, and confirms it. */
  async run(save: (signal: AbortSignal) => Promise<string>): Promise<void> {
    await this.file.attempt(async (signal) => {
      const path = await save(signal)
      notices.notify(t('export.saved', { path }))
    })
  }
}
