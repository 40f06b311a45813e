/** The search for places, answered by the local dictionary and, on request, by the vendor. */
import type { PlaceHit } from '../../bindings/PlaceHit'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { notices } from '../../lib/notices.svelte'
import { Resource } from '../../lib/resource.svelte'

export class PlaceSearch {
  typed = $state('')
  private readonly found = new Resource<PlaceHit[]>([])
  readonly hits = $derived(this.found.value)
  /** The update of the dictionary from the vendor, and a search at the vendor. */
  readonly refreshing = new Resource<number | null>(null)
  readonly asking = new Resource<PlaceHit[]>([])
  readonly error = $derived(this.refreshing.error ?? this.asking.error ?? this.found.error)
  /** Whether the list of hits is open. */
  open = $state(false)
  /** Whether the dictionary has nothing for the typed text. */
  readonly nothing = $derived(
    this.typed.trim().length > 1 && this.hits.length === 0 && !this.found.busy && !this.asking.busy,
  )

  constructor(private readonly call: Call) {}

  async type(text: string): Promise<void> {
    this.typed = text
    this.forget()
    this.asking.drop()
    await this.found.ask(() => this.call('search_places', text))
  }

  async atVendor(): Promise<void> {
    const { typed } = this
    this.forget()
    this.found.drop()
    await this.asking.ask(
      (signal) => this.call('search_vendor_places', typed, signal),
      (hits) => {
        this.found.value = hits
      },
    )
    // Pressing the button closed the list.
    this.open = this.hits.length > 0
  }

  clear(): void {
    this.found.drop()
    this.asking.drop()
    this.typed = ''
    this.found.value = []
  }

  async refresh(): Promise<void> {
    this.forget()
    await this.refreshing.ask(
      (signal) => this.call('refresh_places', null, signal),
      (count) => notices.notify(t('buy.places-read', { count: count ?? 0 })),
    )
  }

  /** Clears errors: they belong to the last request. */
  private forget(): void {
    for (const one of [this.found, this.refreshing, this.asking]) one.error = null
  }
}
