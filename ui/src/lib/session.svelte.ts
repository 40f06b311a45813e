/** The open connection and what goes with it: the settings, the other connections, what waits there. */
import type { Boot } from '../bindings/Boot'
import type { Settings } from '../bindings/Settings'
import { figures } from './figures.svelte'
import { useGbFactor } from './gbFactor.svelte'
import { systemLanguage, useLanguage } from './i18n.svelte'
import { asCommandError, type Call, call } from './ipc'
import { kept } from './kept.svelte'
import { notices } from './notices.svelte'
import { operations } from './operations.svelte'
import { route } from './route.svelte'

export class Session {
  boot = $state<Boot | null>(null)
  /** The form for a rotated token is open, for this area. */
  replacingToken = $state<'static' | 'agent' | null>(null)
  private zoom = 100
  /** The change of the open connection that went wrong last. */
  private failed: (() => Promise<Boot>) | null = null

  constructor(private readonly call: Call) {}

  /** Operations that are not confirmed in connections that are not open, by their ids. */
  readonly waiting = $derived(
    new Map(this.boot?.waiting.filter((one) => !one.unreadable).map((one) => [one.connection, one.count])),
  )
  /** Connections that are not open, and whose journal can't be read. */
  readonly unreadable = $derived(
    new Set(this.boot?.waiting.filter((one) => one.unreadable).map((one) => one.connection)),
  )
  readonly unconfirmedCount = $derived(
    operations.unconfirmed.length + [...this.waiting.values()].reduce((sum, count) => sum + count, 0),
  )
  /** The open connection has a token of the user's own, which can be replaced. */
  readonly hasOwnToken = $derived(this.boot !== null && this.boot.active !== null && !this.boot.practice)
  /** The open connection keeps nothing in the keychain: what is here is gone when the program ends. */
  readonly keepsSecretsInMemory = $derived(
    this.boot?.connections.find((one) => one.id === this.boot?.active)?.sessionOnly ?? false,
  )

  async start(): Promise<void> {
    await operations.watch()
    try {
      const boot = await this.call('boot', systemLanguage())
      // A working day begins with what has happened.
      if (boot.active && route.place === 'welcome') route.begin('overview')
      await this.enter(boot)
    } catch (thrown) {
      await useLanguage(systemLanguage())
      notices.error = asCommandError(thrown)
    }
  }

  /** Shows what a connection change left open. */
  async enter(boot: Boot): Promise<void> {
    await this.show(boot.settings)
    operations.drop()
    if (boot.active !== this.boot?.active) {
      operations.forget()
      figures.forget()
      kept.forget()
      route.begin(route.place)
    }
    route.order = null
    notices.error = null
    this.boot = boot
    useGbFactor(boot.gbFactor)
    if (!boot.active) route.begin(boot.connections.length > 0 ? 'settings' : 'welcome')
    else if (route.place === 'welcome') route.begin('buy')
    if (!boot.active) {
      await notices.readRestorations()
      return
    }
    // These wait until the connection is open, which a keychain may delay.
    notices.error = await this.call('connection_problem', null)
    if (!notices.error || notices.error.code === 'tokens') await operations.read()
    await notices.readRestorations()
  }

  /** Opens the form for a rotated token: that of the area which the person is in. */
  replaceToken(area?: 'static' | 'agent'): void {
    const agent = ['overview', 'traffic', 'customers'].includes(route.place)
    this.replacingToken = area ?? (agent ? 'agent' : 'static')
  }

  async open(id: string): Promise<void> {
    await this.switchTo(() =>
      id === 'practice' ? this.call('start_practice', null) : this.call('open_connection', id),
    )
  }

  async leavePractice(): Promise<void> {
    await this.switchTo(() => this.call('leave_practice', null))
  }

  /** Makes the change again that went wrong, or opens the connection again, after whatever was in its way. */
  async tryAgain(): Promise<void> {
    const id = this.boot?.active
    const change = this.failed ?? (id ? () => this.call('open_connection', id) : null)
    if (change) await this.switchTo(change)
  }

  /** Runs a command that changes the open connection. */
  private async switchTo(change: () => Promise<Boot>): Promise<void> {
    this.failed = null
    try {
      await this.enter(await change())
    } catch (thrown) {
      const error = asCommandError(thrown)
      // What is open now is asked for, not guessed.
      await this.call('boot', systemLanguage())
        .then((boot) => this.enter(boot))
        .catch(() => {})
      this.failed = change
      notices.error = error
    }
  }

  /** Reads again what is on screen; what is typed and chosen stays. */
  refresh(): void {
    route.refreshed++
    if (this.boot?.active) void operations.read()
  }

  async saveSettings(settings: Settings): Promise<void> {
    await this.show(settings)
    if (this.boot) this.boot.settings = await this.call('save_settings', settings)
  }

  /** Larger or smaller by so many percent; 0 is back to normal. */
  zoomBy(percent: number): void {
    this.zoom = percent === 0 ? 100 : Math.min(200, Math.max(50, this.zoom + percent))
    void this.call('set_zoom', this.zoom)
  }

  private async show(settings: Settings): Promise<void> {
    if (settings.theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = settings.theme
    await useLanguage(settings.language ?? systemLanguage())
  }
}

export const session = new Session(call)
