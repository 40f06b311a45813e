/** What all customers used together, as the vendor sums it up. */
import type { CommandError } from '../../bindings/CommandError'
import type { ConsumptionRow } from '../../bindings/ConsumptionRow'
import { asCommandError, call } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'
import { Span } from './span.svelte'

export class Consumption {
  nni = $state(false)
  readonly span = new Span()
  rows = $state.raw<ConsumptionRow[] | null>(null)
  error = $state<CommandError | null>(null)
  readonly wait = new Wait()
  private ready = false
  private shownNni = false

  /** The last days to begin with. */
  async begin(): Promise<void> {
    try {
      const { today } = await call('usage_state', null)
      this.span.last(30, today)
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
    this.ready = true
    await this.load()
  }

  async load(): Promise<void> {
    if (!this.ready || !this.span.fits) return
    this.error = null
    const { nni, span } = this
    // What is there belongs to what was asked for before.
    if (nni !== this.shownNni) this.rows = null
    this.shownNni = nni
    try {
      const rows = await this.wait.run((signal) =>
        call('traffic_consumption', { nni, from: span.from || null, to: span.to || null }, signal),
      )
      // Newest first, as everywhere.
      this.rows = rows.toSorted((one, other) => other.date.localeCompare(one.date))
    } catch (thrown) {
      // Who stops waiting is offered to go on.
      this.error = asCommandError(thrown)
    }
  }
}
