/** Updates of the program. One state for the window: the side bar announces them, Settings installs them. */
import type { UpdateState } from '../bindings/UpdateState'
import { language } from './i18n.svelte'
import { type Call, call, onUpdateChanged } from './ipc'
import { Resource, Work } from './resource.svelte'

export class Updates {
  state = $state.raw<UpdateState | null>(null)
  /** The user's last action. */
  private readonly action = new Work()
  private readonly known = new Resource<UpdateState | null>(null, { quiet: true })
  readonly error = $derived(this.action.error ?? this.known.error)
  /** Whether the feed is being checked. */
  checking = $state(false)
  private listening = false

  constructor(private readonly call: Call) {}

  /** The version that the side bar announces; null: none, or the user postponed it. */
  readonly news = $derived(
    this.state?.newer && (!this.state.newer.postponed || this.state.step !== 'idle')
      ? this.state.newer
      : null,
  )
  /** The release notes in the user's language. */
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
    await this.ask(() => this.call('check_update', null))
    this.checking = false
  }

  async install(): Promise<void> {
    const version = this.state?.newer?.version
    if (version) await this.ask(() => this.call('install_update', version))
  }

  async postpone(): Promise<void> {
    const version = this.state?.newer?.version
    if (version) await this.ask(() => this.call('postpone_update', version))
  }

  async daily(daily: boolean): Promise<void> {
    await this.ask(() => this.call('check_daily', daily))
  }

  async startAgain(): Promise<void> {
    await this.action.attempt(() => this.call('start_again', null))
  }

  /** Reads the current state. The result of the last action stays on screen. */
  private async read(): Promise<void> {
    await this.known.ask(
      () => this.call('update_state', null),
      (state) => {
        this.state = state
      },
    )
  }

  private async ask(asked: () => Promise<UpdateState>): Promise<void> {
    this.known.error = null
    await this.action.attempt(async () => {
      this.state = await asked()
    })
  }
}

export const updates = new Updates(call)
