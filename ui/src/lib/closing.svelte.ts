/** The question whether to close while work is under way. The program asks for it; the page answers. */
import type { UnderWay } from '../bindings/UnderWay'
import { type Call, call, onCloseAsked } from './ipc'
import { Resource } from './resource.svelte'

export class Closing {
  private readonly reading = new Resource<UnderWay | null>(null, { quiet: true })
  /** What is under way, while the question is open; null: it is not. */
  readonly work = $derived(this.reading.value)
  /** Whether everything has finished since the question was opened. */
  readonly isOver = $derived(this.work !== null && Object.values(this.work).every((count) => count === 0))

  constructor(private readonly call: Call) {}

  async follow(): Promise<void> {
    await onCloseAsked(() => void this.ask())
  }

  /** Opens the question, or brings the one that is open up to date. The program learns from it that the page asks. */
  async ask(): Promise<void> {
    await this.reading.ask(() => this.call('work_under_way', null))
  }

  /** Keeps the window open. */
  keep(): void {
    this.reading.drop()
    this.reading.value = null
  }

  /** Closes the window, whatever is under way. */
  async close(): Promise<void> {
    await this.call('close_anyway', null)
  }
}

export const closing = new Closing(call)
