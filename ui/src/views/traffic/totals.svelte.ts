/** The traffic left on both accounts. */
import type { TrafficTotals } from '../../bindings/TrafficTotals'
import { Reading } from '../../lib/figures.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'

export class Totals {
  readonly answer = new Resource<TrafficTotals | null>(null, { showsStop: true })
  readonly reading = new Reading('totals')

  constructor(private readonly call: Call) {}

  async load(): Promise<void> {
    await this.reading.run(() => this.answer.ask((signal) => this.call('traffic_totals', null, signal)))
  }
}
