/** IPs that are new in the vendor's list since an order was sent: evidence, never proof. */
import type { NewIps as Told } from '../../bindings/NewIps'
import type { Call } from '../ipc'
import { Resource } from '../resource.svelte'

export class NewIps {
  private readonly told = new Resource<Told | null>(null, { quiet: true, showsStop: true })
  /** What the list shows; null: not read yet, or the vendor has no list. */
  readonly value = $derived(this.told.value)
  readonly busy = $derived(this.told.busy)
  readonly long = $derived(this.told.long)
  readonly error = $derived(this.told.error)
  /** Number of new IPs that are not shown one by one. */
  readonly more = $derived((this.value?.total ?? 0) - (this.value?.ips.length ?? 0))

  constructor(
    private readonly call: Call,
    private readonly id: () => string,
  ) {}

  /** Reads the vendor's list again. */
  async read(): Promise<void> {
    await this.told.askInTurn((signal) => this.call('new_ips', this.id(), signal))
  }

  stop(): void {
    this.told.stop()
  }
}
