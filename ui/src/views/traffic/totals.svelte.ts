/** The traffic left on both accounts. */
import type { TrafficTotals } from '../../bindings/TrafficTotals'
import { Reading } from '../../lib/figures.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'

export class Totals {
  readonly answer = new Resource<TrafficTotals | null>(null, { showsStop: true })
  readonly reading = new Reading('totals')

  constructor(private readonly call: Call) {}

  /** Shows the totals that were read last, and reads them again. */
  async load(): Promise<void> {
    if (this.answer.readAt === null) void this.recall()
    await this.reading.run(() => this.answer.ask((signal) => this.call('traffic_totals', null, signal)))
  }

  private async recall(): Promise<void> {
    const known = await this.call('known_totals', null).catch(() => null)
    if (known) this.answer.recall(known.totals, known.readAt)
  }
}
