/** A buyer's page: what was handed over and when. */
import type { DeliveryView } from '../../bindings/DeliveryView'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'

export class BuyerDetail {
  readonly deliveries = new Resource<DeliveryView[] | null>(null, { quiet: true })

  constructor(
    private readonly call: Call,
    private readonly id: number,
  ) {}

  async load(): Promise<void> {
    await this.deliveries.ask(() => this.call('deliveries_of', this.id))
  }
}
