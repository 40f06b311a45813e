/** What is shown, on its way into a file. */
import { app } from './app.svelte'
import { t } from './i18n.svelte'
import { Work } from './resource.svelte'

export class Export {
  readonly file = new Work()

  /** Writes the file with `save`, which returns where it is, and says so. */
  async run(save: (signal: AbortSignal) => Promise<string>): Promise<void> {
    await this.file.attempt(async (signal) => {
      const path = await save(signal)
      app.notify(t('export.saved', { path }))
    })
  }
}
