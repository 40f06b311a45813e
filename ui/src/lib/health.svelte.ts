/** How a connection fares and what its vendor can do: what is known, a check of all of it, the changes. */
import type { Capability } from '../bindings/Capability'
import type { HealthView } from '../bindings/HealthView'
import { type Call, call, onVendorChanged } from './ipc'
import { Resource, Work } from './resource.svelte'
import { session } from './session.svelte'

export class Health {
  private readonly known = new Resource<HealthView | null>(null, { quiet: true })
  private readonly checked = new Work({ showsStop: true })
  /** What is known of the connection; null: not read yet. */
  readonly view = $derived(this.known.value)
  readonly mood = $derived(this.view?.mood ?? 'unknown')
  readonly changes = $derived(this.view?.changes ?? [])
  readonly checking = $derived(this.checked.busy)
  readonly long = $derived(this.checked.long)
  readonly error = $derived(this.checked.error ?? this.known.error)

  /** `id` returns the connection; null: none. */
  constructor(
    private readonly call: Call,
    private readonly id: () => string | null,
  ) {}

  /** Whether the vendor is known to have this. */
  has(capability: Capability): boolean {
    return (
      this.view?.capabilities.some((one) => one.capability === capability && one.finding === 'present') ??
      false
    )
  }

  /** Follows the connection. Returns a function that ends this. */
  follow(): () => void {
    const listening = onVendorChanged((connection) => {
      if (connection === this.id()) void this.read()
    })
    return () => void listening.then((end) => end())
  }

  /** Reads what is known, without asking the vendor. */
  async read(): Promise<void> {
    const id = this.id()
    if (this.view?.connection !== id) this.known.value = null
    if (id) await this.known.ask(() => this.call('vendor_health', id))
    else this.known.drop()
  }

  /** Asks the vendor everything that can be read. */
  async check(): Promise<void> {
    const id = this.id()
    if (!id) return
    await this.checked.once(async (signal) => this.show(await this.call('check_vendor', id, signal)))
  }

  stop(): void {
    this.checked.stop()
  }

  /** Records that the user has read the changes. */
  async seen(): Promise<void> {
    const id = this.id()
    if (id) this.show(await this.call('vendor_changes_seen', id))
  }

  private show(view: HealthView): void {
    if (view.connection === this.id()) this.known.value = view
  }
}

/** The health of the open connection. */
export const health = new Health(call, () => session.boot?.active ?? null)
