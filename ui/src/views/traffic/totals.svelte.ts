/** Traffic left on both accounts. */
import type { CommandError } from '../../bindings/CommandError'
import type { TrafficTotals } from '../../bindings/TrafficTotals'
import { Reading } from '../../lib/figures.svelte'
import { asCommandError, call } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

export class Totals {
  told = $state.raw<TrafficTotals | null>(null)
  error = $state<CommandError | null>(null)
  readonly wait = new Wait()
  readonly reading = new Reading('totals')

  async load(): Promise<void> {
    this.error = null
    try {
      this.told = await this.reading.run(() =>
        this.wait.run((signal) => call('traffic_totals', null, signal)),
      )
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }
}
