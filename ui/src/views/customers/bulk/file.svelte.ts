/** A file with the rows of a bulk: chosen in the form, or dropped on the window. */
import type { BulkSource } from '../../../bindings/BulkSource'
import type { CommandError } from '../../../bindings/CommandError'
import type { DroppedFile } from '../../../bindings/DroppedFile'

/** The largest file, in bytes. Larger ones are not lists of customers. */
const LARGEST = 16 * 1024 * 1024
const TOO_LARGE: CommandError = {
  code: 'invalid',
  about: { field: 'bulk-file', why: 'too-large' },
  details: { vendorCode: null, vendorMessage: null, traceId: null, technical: null, near: null },
}

type Form = {
  /** Drafts the rows. Returns why that failed. */
  read: (source: BulkSource) => Promise<CommandError | null>
  /** Says why a file is not read. The draft on screen stays. */
  refuse: (error: CommandError) => void
}

export class ListFile {
  /** The name of the file; empty: none. */
  name = $state('')
  /** Whether the draft was made of it. */
  isDrafted = $state(false)
  /** A file dropped on an open preview, until the user says which of the two stays; null: none. */
  dropped = $state.raw<DroppedFile | null>(null)
  private source: BulkSource | null = null
  /** Counts removals: a file that is still being read then is not taken. */
  private gone = 0

  constructor(private readonly form: Form) {}

  /** Takes a file that was chosen in the form. */
  async choose(file: File): Promise<void> {
    if (file.size > LARGEST) {
      this.form.refuse(TOO_LARGE)
      return
    }
    const { gone } = this
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (gone !== this.gone) return
    let text = ''
    for (let at = 0; at < bytes.length; at += 32_768) {
      text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
    }
    await this.take(file.name, { from: 'file', base64: btoa(text), text: /\.txt$/i.test(file.name) })
  }

  /** Takes a file that was dropped on the window. It does not replace a preview without a question. */
  async drop(file: DroppedFile, isPreview: boolean): Promise<void> {
    // The program holds the file that was dropped last, and no other.
    if (this.source?.from === 'dropped' && !isPreview) this.remove()
    if (file.problem) this.form.refuse(file.problem)
    else if (isPreview) this.dropped = file
    else await this.take(file.name, { from: 'dropped', number: file.number })
  }

  /** Answers whether the file that was dropped on a preview takes its place. */
  async answer(take: boolean): Promise<void> {
    const { dropped } = this
    this.dropped = null
    if (take && dropped) await this.take(dropped.name, { from: 'dropped', number: dropped.number })
    else if (this.source?.from === 'dropped') this.source = null
  }

  /** Whether it can be read once more, for another action. */
  get canCheck(): boolean {
    return this.name !== '' && this.source !== null
  }

  /** Reads the file once more. One that is no list, or that the program no longer holds, is forgotten. */
  async check(): Promise<void> {
    if (!this.source) return
    const error = await this.form.read(this.source)
    if (error?.code === 'invalid' || error?.code === 'changed') this.remove()
  }

  remove(): void {
    this.gone++
    this.name = ''
    this.source = null
  }

  private async take(name: string, source: BulkSource): Promise<void> {
    this.name = name
    this.source = source
    await this.check()
  }
}
