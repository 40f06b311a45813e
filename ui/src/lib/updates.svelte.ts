/** Newer versions of the program: what is known, and the way to them. One for the window: the side bar tells, Settings acts. */
import type { CommandError } from '../bindings/CommandError'
import type { UpdateState } from '../bindings/UpdateState'
import { language } from './i18n.svelte'
import { asCommandError, call, onUpdateChanged } from './ipc'

class Updates {
  state = $state.raw<UpdateState | null>(null)
  error = $state<CommandError | null>(null)
  /** A question to the feed is under way. */
  checking = $state(false)
  private listening = false

  /** What the side bar tells of: nothing that the person put off. */
  readonly news = $derived(
    this.state?.newer && (!this.state.newer.postponed || this.state.step !== 'idle')
      ? this.state.newer
      : null,
  )
  /** What is new, in the window's language. */
  readonly points = $derived.by(() => {
    const newer = this.state?.newer
    const notes = (language() === 'zh-CN' && newer?.notesZh) || newer?.notes
    return (notes ?? '')
      .split('\n')
      .map((line) => line.replace(/^- /, '').trim())
      .filter(Boolean)
  })

  async start(): Promise<void> {
    if (this.listening) return
    this.listening = true
    await onUpdateChanged(() => void this.read())
    await this.read()
  }

  async check(): Promise<void> {
    this.checking = true
    await this.ask(() => call('check_update', null))
    this.checking = false
  }

  async install(): Promise<void> {
    const version = this.state?.newer?.version
    if (version) await this.ask(() => call('install_update', version))
  }

  async postpone(): Promise<void> {
    const version = this.state?.newer?.version
    if (version) await this.ask(() => call('postpone_update', version))
  }

  async daily(daily: boolean): Promise<void> {
    await this.ask(() => call('check_daily', daily))
  }

  async startAgain(): Promise<void> {
    this.error = null
    try {
      await call('start_again', null)
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  /** What is known now. What an action said stays on screen. */
  private async read(): Promise<void> {
    try {
      this.state = await call('update_state', null)
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  private async ask(asked: () => Promise<UpdateState>): Promise<void> {
    this.error = null
    try {
      this.state = await asked()
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }
}

export const updates = new Updates()
