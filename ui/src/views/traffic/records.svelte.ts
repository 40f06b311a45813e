/** Traffic that was given, used and received, as the vendor wrote it down. */
import type { CommandError } from '../../bindings/CommandError'
import type { RecordList } from '../../bindings/RecordList'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import { asCommandError, call } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'
import { Span } from './span.svelte'

export class Records {
  received = $state(false)
  consumed = $state(false)
  account = $state('')
  readonly span = new Span()
  rows = $state.raw<TrafficRecord[] | null>(null)
  total = $state(0)
  error = $state<CommandError | null>(null)
  readonly wait = new Wait()
  private page = 0
  readonly more = $derived(this.rows !== null && this.rows.length < this.total)
  readonly list = $derived<RecordList>(this.received ? 'received' : this.consumed ? 'consumed' : 'recharged')

  /** Reads the first page of what is asked for. */
  async load(): Promise<void> {
    if (!this.span.fits) return
    this.page = 0
    this.rows = null
    await this.next()
  }

  async next(): Promise<void> {
    if (!this.span.fits) return
    this.error = null
    const page = this.page + 1
    const { list, account, span } = this
    try {
      const told = await this.wait.run((signal) =>
        call(
          'traffic_records',
          { list, account, from: span.from || null, to: span.to || null, page },
          signal,
        ),
      )
      this.rows = [...(this.rows ?? []), ...told.rows]
      this.total = told.total
      this.page = page
    } catch (thrown) {
      // Who stops waiting is offered to go on.
      this.error = asCommandError(thrown)
    }
  }
}
