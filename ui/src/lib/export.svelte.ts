/** Saving the current view as a file, and copying it. */

import type { TableKind } from '../bindings/TableKind'
import { t } from './i18n.svelte'
import type { Call } from './ipc'
import { notices } from './notices.svelte'
import { Work } from './resource.svelte'
import { savedFiles, savedWords } from './savedFiles.svelte'
import { asText, type Sheet } from './sheet'

/** Returns the whole table, of which the screen may show the beginning; `signal`: it is no longer wanted. */
export type MakesTable = (signal: AbortSignal) => Sheet | Promise<Sheet>

export class Export {
  readonly file = new Work()

  constructor(private readonly call: Call) {}

  /** Writes the file with `save`, which returns its path, and confirms it; null: it was stopped before. */
  async run(save: (signal: AbortSignal) => Promise<string | null>): Promise<void> {
    await this.file.attempt(async (signal) => {
      const path = await save(signal)
      if (path !== null) void savedFiles.announce(savedWords(path), path)
    })
  }

  /** Saves a table. */
  async save(kind: TableKind, table: MakesTable): Promise<void> {
    await this.run(async (signal) => {
      const made = await table(signal)
      return signal.aborted ? null : this.call('export_table', { kind, ...made }, signal)
    })
  }

  /** Copies the same table. */
  async copy(table: MakesTable): Promise<void> {
    await this.file.attempt(async (signal) => {
      const made = await table(signal)
      if (signal.aborted) return
      await this.call('copy_text', asText(made), signal)
      notices.notify(t('common.copied'))
    })
  }
}
