/** The open connection, the settings, and the other connections with the operations that wait in them. */
import type { Boot } from '../bindings/Boot'
import type { Settings } from '../bindings/Settings'
import { columns } from './columns.svelte'
import { sentences } from './errors'
import { figures } from './figures.svelte'
import { useGbFactor } from './gbFactor.svelte'
import { paragraph, prepareLanguage, systemLanguage, useLanguage } from './i18n.svelte'
import { asCommandError, type Call, call, showsConnection } from './ipc'
import { kept } from './kept.svelte'
import { notices } from './notices.svelte'
import { operations } from './operations.svelte'
import { route } from './route.svelte'
import { usageReading } from './usageReading.svelte'
import { useVendorZone } from './vendorZone.svelte'

/** Returns a text that is the same as long as the open connection leads to the same account. */
function account(boot: Boot | null): string {
  const open = boot?.connections.find((one) => one.id === boot.active)
  return JSON.stringify([boot?.active, open?.baseUrl, open?.staticPrefix, open?.agentPrefix, open?.userId])
}

export class Session {
  boot = $state<Boot | null>(null)
  /** The area whose token is being replaced; null: the form is closed. */
  replacingToken = $state<'static' | 'agent' | null>(null)
  /** The number of connections that are being opened. */
  private changes = $state(0)
  /** Whether another connection is being opened, which a keychain may delay. */
  readonly isSwitching = $derived(this.changes > 0)
  private zoom = 100
  /** The last change of connection that failed. */
  private failed: (() => Promise<Boot>) | null = null

  /** The changes of settings that were clicked, as far as they are not saved yet. */
  private changing = Promise.resolve()

  constructor(private readonly call: Call) {}

  /** Unconfirmed operations in connections that are not open: their number, by the id of the connection. */
  readonly waiting = $derived(
    new Map(this.boot?.waiting.filter((one) => !one.unreadable).map((one) => [one.connection, one.count])),
  )
  /** Ids of connections that are not open and whose journal cannot be read. */
  readonly unreadable = $derived(
    new Set(this.boot?.waiting.filter((one) => one.unreadable).map((one) => one.connection)),
  )
  readonly unconfirmedCount = $derived(
    operations.unconfirmed.length + [...this.waiting.values()].reduce((sum, count) => sum + count, 0),
  )
  /** Whether the open connection has a token of the user's own, which can be replaced. */
  readonly hasOwnToken = $derived(this.boot !== null && this.boot.active !== null && !this.boot.practice)
  /** Whether the open connection can buy: practice, or one with a token of the static-IP area. */
  readonly buysHere = $derived.by(() => {
    if (!this.boot?.active) return false
    const open = this.boot.connections.find((one) => one.id === this.boot?.active)
    return this.boot.practice || (open?.hasStaticToken ?? false)
  })
  /** Whether the open connection keeps its secrets in memory only, so that they are lost when the program ends. */
  readonly keepsSecretsInMemory = $derived(
    this.boot?.connections.find((one) => one.id === this.boot?.active)?.sessionOnly ?? false,
  )

  /** `show`: mounts the first screen, once it is known which one it is. */
  async start(show = () => {}): Promise<void> {
    // What the first screen says is loaded while the program answers.
    prepareLanguage(systemLanguage())
    try {
      const [boot] = await Promise.all([this.call('boot', systemLanguage()), operations.watch()])
      // A working day begins with the overview.
      if (boot.active && route.place === 'welcome') route.begin('overview')
      await this.enter(boot, show)
    } catch (thrown) {
      await useLanguage(systemLanguage())
      notices.error = asCommandError(thrown)
      if (!this.boot) show()
    }
  }

  /** Shows the connection that is open after a change. */
  async enter(boot: Boot, show = () => {}): Promise<void> {
    await this.show(boot.settings)
    operations.drop()
    showsConnection(boot.active)
    if (account(boot) !== account(this.boot)) {
      operations.forget()
      figures.forget()
      kept.forget()
      usageReading.forget()
      route.dialog = null
      route.begin(route.place)
    }
    route.order = null
    notices.error = null
    this.boot = boot
    this.zoom = boot.zoom
    columns.recall(boot.columns)
    useGbFactor(boot.gbFactor)
    useVendorZone(boot.zone)
    if (!boot.active) route.begin(boot.connections.length > 0 ? 'settings' : 'welcome')
    else if (route.place === 'welcome') route.begin('buy')
    show()
    if (!boot.active) {
      await notices.readRestorations()
      return
    }
    // These calls wait until the connection is open, which a keychain may delay.
    // Another one may be open by then.
    const own = this.boot
    const problem = await this.call('connection_problem', null)
    if (problem && this.boot === own) notices.error = problem
    if (!problem || problem.code === 'tokens') await operations.read()
    await notices.readRestorations()
  }

  /** Opens the form that replaces a token; without an area, that of the current place. */
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

  /** Repeats the change that failed, or else opens the current connection again. */
  async tryAgain(): Promise<void> {
    const id = this.boot?.active
    const change = this.failed ?? (id ? () => this.call('open_connection', id) : null)
    if (change) await this.switchTo(change)
  }

  /** Runs a command that changes the open connection. */
  private async switchTo(change: () => Promise<Boot>): Promise<void> {
    this.failed = null
    try {
      await this.enter(await this.opened(change))
    } catch (thrown) {
      const error = asCommandError(thrown)
      // Ask which connection is open now; do not guess.
      await this.call('boot', systemLanguage())
        .then((boot) => this.enter(boot))
        .catch(() => {})
      this.failed = change
      notices.error = error
    }
  }

  private async opened(change: () => Promise<Boot>): Promise<Boot> {
    this.changes++
    try {
      return await change()
    } finally {
      this.changes--
    }
  }

  /** Reads the current view again. Everything typed or chosen stays. */
  refresh(): void {
    route.refreshed++
    if (this.boot?.active) void operations.read()
  }

  async saveSettings(settings: Settings): Promise<void> {
    await this.show(settings)
    if (this.boot) this.boot.settings = await this.call('save_settings', settings)
  }

  /** Saves what a click changed, one after the other. What cannot be saved is taken back, with a word why. */
  change(change: Partial<Settings>): Promise<void> {
    this.changing = this.changing.then(() => this.saveChange(change))
    return this.changing
  }

  private async saveChange(change: Partial<Settings>): Promise<void> {
    if (!this.boot) return
    try {
      await this.saveSettings({ ...this.boot.settings, ...change })
    } catch (thrown) {
      await this.show(this.boot.settings)
      const { what, next } = sentences(asCommandError(thrown))
      notices.notify(paragraph(what, next))
    }
  }

  /** Changes the zoom by this many percent; 0 resets it. */
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
