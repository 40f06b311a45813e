/** How long the IPs of a renewal last now, by the vendor's own list. */
import type { OperationView } from '../bindings/OperationView'
import type { RenewedEnd } from '../bindings/RenewedEnd'
import type { RenewedEnds as Told } from '../bindings/RenewedEnds'
import type { Call } from './ipc'
import { Resource } from './resource.svelte'

export class RenewedEnds {
  private readonly told = new Resource<Told | null>(null, { quiet: true, showsStop: true })
  readonly busy = $derived(this.told.busy)
  readonly long = $derived(this.told.long)
  readonly error = $derived(this.told.error)
  /** Whether the list was read since the renewal was sent. */
  readonly isRead = $derived((this.told.value?.readAt ?? null) !== null)
  /** Whether every IP that can be compared ends later than before the renewal. */
  readonly allLater = $derived(this.isRead && (this.told.value?.ips ?? []).every((ip) => ip.later !== false))

  constructor(
    private readonly call: Call,
    private readonly operation: () => OperationView,
  ) {}

  /** The end of an IP now; null: not known. */
  of(id: string): RenewedEnd | null {
    return this.isRead ? (this.told.value?.ips.find((ip) => ip.id === id && ip.expires !== '') ?? null) : null
  }

  /** Reads the vendor's list, if it says nothing yet of a renewal that may have been carried out. */
  async read(): Promise<void> {
    const { id, isDone, isUnconfirmed } = this.operation()
    if (!isDone && !isUnconfirmed) return
    await this.told.askInTurn((signal) => this.call('renewed_ends', id, signal))
  }

  stop(): void {
    this.told.stop()
  }
}
