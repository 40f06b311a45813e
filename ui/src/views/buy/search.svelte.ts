/** The global search for a place: typed here, answered by the dictionary, at last by the vendor. */
import type { CommandError } from '../../bindings/CommandError'
import type { PlaceHit } from '../../bindings/PlaceHit'
import { app } from '../../lib/app.svelte'
import { t } from '../../lib/i18n.svelte'
import { call, failure } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

export class PlaceSearch {
  typed = $state('')
  hits = $state.raw<PlaceHit[]>([])
  error = $state<CommandError | null>(null)
  busy = $state(false)
  readonly refreshing = new Wait()
  readonly asking = new Wait()
  /** Whether the list of hits is open. */
  open = $state(false)
  /** The dictionary has nothing for what is typed. */
  readonly nothing = $derived(this.typed.trim().length > 1 && this.hits.length === 0 && !this.busy)
  /** Answers to an earlier text are dropped. */
  private asked = 0

  async type(text: string): Promise<void> {
    this.typed = text
    await this.ask(() => call('search_places', text))
  }

  async atVendor(): Promise<void> {
    await this.ask(() => this.asking.run((signal) => call('search_vendor_places', this.typed, signal)))
    // The press on the button closed the list.
    this.open = this.hits.length > 0
  }

  clear(): void {
    this.asked++
    this.typed = ''
    this.hits = []
  }

  async refresh(): Promise<void> {
    this.error = null
    try {
      const count = await this.refreshing.run((signal) => call('refresh_places', null, signal))
      app.notify(t('buy.places-read', { count }))
    } catch (thrown) {
      this.error = failure(thrown)
    }
  }

  private async ask(question: () => Promise<PlaceHit[]>): Promise<void> {
    const asked = ++this.asked
    this.busy = true
    this.error = null
    try {
      const hits = await question()
      if (asked === this.asked) this.hits = hits
    } catch (thrown) {
      if (asked === this.asked) this.error = failure(thrown)
    }
    if (asked === this.asked) this.busy = false
  }
}
