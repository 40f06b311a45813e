/** What every view shares: the open connection, the settings, the place, the operations. */
import type { Boot } from '../bindings/Boot'
import type { CommandError } from '../bindings/CommandError'
import type { OperationView } from '../bindings/OperationView'
import type { Restorations } from '../bindings/Restorations'
import type { Settings } from '../bindings/Settings'
import { figures } from './figures.svelte'
import { useGbFactor } from './gbFactor.svelte'
import { type Language, systemLanguage, useLanguage } from './i18n.svelte'
import { asCommandError, call, onOperationChanged } from './ipc'
import { isOpen } from './operations'

export type Place =
  | 'welcome'
  | 'overview'
  | 'buy'
  | 'orders'
  | 'traffic'
  | 'customers'
  | 'activity'
  | 'settings'

/** Between two readings of the operations while they change, ms. */
const REST = 150

class App {
  boot = $state<Boot | null>(null)
  place = $state<Place>('welcome')
  operations = $state<OperationView[]>([])
  /** What went wrong outside of any view. */
  error = $state<CommandError | null>(null)
  /** What was done about damaged files, until it was read. */
  restorations = $state.raw<Restorations | null>(null)
  /** The operation that Activity is to show first. */
  shown = $state<string | null>(null)
  /** What Customers is to begin with. */
  customersWanted = $state.raw<{ customer?: string; bulk?: string; dialog?: 'create' | 'bulk' } | null>(null)
  /** The order that Orders shows. */
  shownOrder = $state<string | null>(null)
  /** What is open above every view. */
  dialog = $state<'palette' | 'keys' | 'practice' | null>(null)
  /** Counts "refresh": a view that reads from the vendor reads again. */
  refreshed = $state(0)
  private resting = false
  private again = false
  private zoom = 100
  private operationsAsked = 0
  /** The operations of the open connection are read. */
  operationsRead = $state(false)
  private listening = false
  /** The form for a rotated token is open. */
  replacingToken = $state<'static' | 'agent' | null>(null)
  /** A short confirmation that goes by itself. */
  toast = $state('')

  readonly unconfirmed = $derived(
    this.operations.filter((operation) => operation.state === 'unknown' || operation.state === 'needs-you'),
  )
  /** Not confirmed in connections that are not open, by their ids. */
  readonly waiting = $derived(
    new Map(this.boot?.waiting.filter((one) => !one.unreadable).map((one) => [one.connection, one.count])),
  )
  /** Connections that are not open, and whose journal can't be read. */
  readonly unreadable = $derived(
    new Set(this.boot?.waiting.filter((one) => one.unreadable).map((one) => one.connection)),
  )
  readonly unconfirmedCount = $derived(
    this.unconfirmed.length + [...this.waiting.values()].reduce((sum, count) => sum + count, 0),
  )
  /** The operation that holds the wallet, if any. */
  readonly openOrder = $derived(
    this.operations.find((operation) => operation.kind === 'place-and-pay' && isOpen(operation)),
  )

  async start(): Promise<void> {
    if (!this.listening) {
      this.listening = true
      await onOperationChanged(() => this.readSoon())
    }
    try {
      const boot = await call('boot', systemLanguage())
      // A working day begins with what has happened.
      if (boot.active && this.place === 'welcome') this.place = 'overview'
      await this.enter(boot)
    } catch (thrown) {
      await useLanguage(systemLanguage())
      this.error = asCommandError(thrown)
    }
  }

  /** Shows what a connection change left open. */
  async enter(boot: Boot): Promise<void> {
    await this.show(boot.settings)
    this.operationsAsked++
    if (boot.active !== this.boot?.active) {
      this.operations = []
      this.operationsRead = false
      figures.forget()
    }
    this.shownOrder = null
    this.error = null
    this.boot = boot
    useGbFactor(boot.gbFactor)
    if (!boot.active) this.place = boot.connections.length > 0 ? 'settings' : 'welcome'
    else if (this.place === 'welcome') this.place = 'buy'
    if (!boot.active) {
      this.restorations = await call('restorations', null)
      return
    }
    // These wait until the connection is open, which a keychain may delay.
    this.error = await call('connection_problem', null)
    if (!this.error || this.error.code === 'tokens') await this.readOperations()
    this.restorations = await call('restorations', null)
  }

  /** The open connection has a token of the user's own, which can be replaced. */
  readonly hasOwnToken = $derived(this.boot !== null && this.boot.active !== null && !this.boot.practice)

  /** What the customers read that messages are written to; until it is chosen, the language of the window. */
  messageLanguage = $state<Language | null>(null)
  /** The open connection keeps nothing in the keychain: what is here is gone when the program ends. */
  readonly keepsSecretsInMemory = $derived(
    this.boot?.connections.find((one) => one.id === this.boot?.active)?.sessionOnly ?? false,
  )

  /** Opens the form for a rotated token: that of the area which the person is in. */
  replaceToken(area?: 'static' | 'agent'): void {
    const agent = ['overview', 'traffic', 'customers'].includes(this.place)
    this.replacingToken = area ?? (agent ? 'agent' : 'static')
  }

  async openConnection(id: string): Promise<void> {
    await this.switchTo(() =>
      id === 'practice' ? call('start_practice', null) : call('open_connection', id),
    )
  }

  /** Reads again what is on screen; what is typed and chosen stays. */
  refresh(): void {
    this.refreshed++
    if (this.boot?.active) void this.readOperations()
  }

  /** Larger or smaller by so many percent; 0 is back to normal. */
  zoomBy(percent: number): void {
    this.zoom = percent === 0 ? 100 : Math.min(200, Math.max(50, this.zoom + percent))
    void call('set_zoom', this.zoom)
  }

  /** The change of the open connection that went wrong last. */
  private failed: (() => Promise<Boot>) | null = null

  /** Makes the change again that went wrong, or opens the connection again, after whatever was in its way. */
  async tryAgain(): Promise<void> {
    const id = this.boot?.active
    const change = this.failed ?? (id ? () => call('open_connection', id) : null)
    if (change) await this.switchTo(change)
  }

  /** Runs a command that changes the open connection. */
  async switchTo(change: () => Promise<Boot>): Promise<void> {
    this.failed = null
    try {
      await this.enter(await change())
    } catch (thrown) {
      const error = asCommandError(thrown)
      // What is open now is asked for, not guessed.
      await call('boot', systemLanguage())
        .then((boot) => this.enter(boot))
        .catch(() => {})
      this.failed = change
      this.error = error
    }
  }

  async readOperations(): Promise<void> {
    const asked = ++this.operationsAsked
    try {
      const operations = await call('list_operations', null)
      // An earlier answer that comes later tells of an earlier state, or of another connection.
      if (asked !== this.operationsAsked) return
      this.operations = operations
      this.operationsRead = true
      await figures.follow()
      // A move may have shown how the vendor counts.
      useGbFactor(await call('gb_factor', null))
    } catch (thrown) {
      if (asked === this.operationsAsked) this.error = asCommandError(thrown)
    }
  }

  /** At once, and for whatever follows, once more when it has calmed down: a bulk changes many a second. */
  private readSoon(): void {
    if (this.resting) {
      this.again = true
      return
    }
    this.resting = true
    void this.readOperations().finally(() =>
      setTimeout(() => {
        this.resting = false
        if (this.again) {
          this.again = false
          this.readSoon()
        }
      }, REST),
    )
  }

  async saveSettings(settings: Settings): Promise<void> {
    await this.show(settings)
    if (this.boot) this.boot.settings = await call('save_settings', settings)
  }

  notify(words: string): void {
    this.toast = words
    setTimeout(() => {
      if (this.toast === words) this.toast = ''
    }, 4000)
  }

  private async show(settings: Settings): Promise<void> {
    if (settings.theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = settings.theme
    await useLanguage(settings.language ?? systemLanguage())
  }
}

export const app = new App()
