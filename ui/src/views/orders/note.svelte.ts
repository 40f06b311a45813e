/** The agent's note on an order, saved while it is typed. It outlives the view until it is saved. */
import type { Call } from '../../lib/ipc'
import { Work } from '../../lib/resource.svelte'

export class OrderNote {
  text = $state('')
  /** The note as it was saved last. */
  private saved = $state('')
  readonly saving = new Work()
  /** Whether it was saved since the order was opened. */
  wasSaved = $state(false)
  private turn = Promise.resolve()

  constructor(
    private readonly call: Call,
    private readonly orderNo: string,
    note: string,
    /** Takes the note over once it is saved. */
    private readonly kept: (note: string) => void,
  ) {
    this.text = this.saved = note
  }

  // A getter: the note outlives the view that made it, and a derived of that view would stand still.
  get differs(): boolean {
    return this.text.trim() !== this.saved
  }

  /** Saves what is typed, after what is being saved. */
  save(): Promise<void> {
    this.turn = this.turn.then(() => this.write())
    return this.turn
  }

  private async write(): Promise<void> {
    const note = this.text.trim()
    if (note === this.saved) return
    const { orderNo } = this
    const done = await this.saving.attempt(() => this.call('save_order_note', { orderNo, note }))
    if (!done) return
    this.saved = note
    this.wasSaved = true
    this.kept(note)
  }
}
