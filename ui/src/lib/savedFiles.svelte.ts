/** The files that were saved last. They are opened by their number, never by a path. */
import type { SavedFile } from '../bindings/SavedFile'
import { sentences } from './errors'
import { paragraph, t } from './i18n.svelte'
import { asCommandError, type Call, call } from './ipc'
import { notices } from './notices.svelte'
import { Resource, Work } from './resource.svelte'

export class SavedFiles {
  /** Newest first; null: not read yet. */
  readonly list = new Resource<SavedFile[] | null>(null)
  private readonly acting = new Work()
  readonly error = $derived(this.acting.error ?? this.list.error)

  constructor(private readonly call: Call) {}

  async read(): Promise<void> {
    await this.list.ask(() => this.call('saved_files', null))
  }

  open(file: SavedFile): Promise<void> {
    return this.act(() => this.call('open_saved', file.number))
  }

  show(file: SavedFile): Promise<void> {
    return this.act(() => this.call('show_saved', file.number))
  }

  /** Confirms that a file was saved, and offers to open it. */
  async announce(words: string, path: string): Promise<void> {
    notices.notify(words)
    await this.read()
    const file = this.list.value?.find((one) => one.path === path)
    if (file) notices.offer(words, file)
  }

  /** Does something with the file of the confirmation, which then says what went wrong. */
  async fromNotice(act: 'open' | 'show', file: SavedFile): Promise<void> {
    try {
      await this.call(act === 'open' ? 'open_saved' : 'show_saved', file.number)
    } catch (thrown) {
      const { what, next } = sentences(asCommandError(thrown))
      notices.notify(paragraph(what, next))
    }
  }

  /** Reads the list again after a failure: the file may be gone. */
  private async act(work: () => Promise<null>): Promise<void> {
    const done = await this.acting.attempt(work)
    if (!done) await this.read()
  }
}

export const savedFiles = new SavedFiles(call)

/** The sentence that confirms a saved file. */
export const savedWords = (path: string) => t('export.saved', { path })
