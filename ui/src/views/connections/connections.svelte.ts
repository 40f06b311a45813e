/** The connection form: what is typed, its test, saving. Tokens live here only while the form is open. */
import type { CommandError } from '../../bindings/CommandError'
import type { ConnectionDraft } from '../../bindings/ConnectionDraft'
import type { ConnectionView } from '../../bindings/ConnectionView'
import type { ProbeResults } from '../../bindings/ProbeResults'
import { app } from '../../lib/app.svelte'
import { call, failure } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

export class ConnectionForm {
  draft = $state<ConnectionDraft>(blank())
  results = $state<ProbeResults | null>(null)
  error = $state<CommandError | null>(null)
  busy = $state<'test' | 'save' | null>(null)
  readonly waiting = new Wait()
  /** Tokens that are saved already: their fields may stay empty. */
  readonly saved: { static: boolean; agent: boolean }

  constructor(connection: ConnectionView | null) {
    this.saved = { static: connection?.hasStaticToken ?? false, agent: connection?.hasAgentToken ?? false }
    if (connection) this.draft = { ...blank(), ...pick(connection) }
  }

  async test(): Promise<void> {
    this.results = null
    await this.run('test', async () => {
      this.results = await this.waiting.run((signal) =>
        call('test_connection', $state.snapshot(this.draft), signal),
      )
    })
  }

  /** Saves and opens. Returns whether it was saved. */
  async save(): Promise<boolean> {
    return this.run('save', async () => {
      const connection = await call('save_connection', $state.snapshot(this.draft))
      this.forget()
      await app.switchTo(() => call('open_connection', connection.id))
    })
  }

  /** The tokens leave the page with the form. */
  forget(): void {
    this.draft.staticToken = ''
    this.draft.agentToken = ''
  }

  private async run(what: 'test' | 'save', work: () => Promise<void>): Promise<boolean> {
    this.error = null
    this.busy = what
    try {
      await work()
      return true
    } catch (thrown) {
      this.error = failure(thrown)
      return false
    } finally {
      this.busy = null
    }
  }
}

function blank(): ConnectionDraft {
  return {
    id: null,
    name: '',
    baseUrl: '',
    staticPrefix: '/api',
    agentPrefix: '/prod-api',
    userId: '',
    staticToken: '',
    agentToken: '',
    sessionOnly: false,
    gbFactor: 1024,
    timeZone: 480,
    polarity: 'one-is-active',
  }
}

function pick(of: ConnectionView): Partial<ConnectionDraft> {
  const { hasStaticToken: _, hasAgentToken: __, ...kept } = of
  return kept
}
