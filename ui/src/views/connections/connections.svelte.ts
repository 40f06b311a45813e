/** The connection form: the draft, its test, saving. Tokens are kept here only while the form is open. */
import type { CommandError } from '../../bindings/CommandError'
import type { ConnectionDraft } from '../../bindings/ConnectionDraft'
import type { ConnectionView } from '../../bindings/ConnectionView'
import type { ProbeResults } from '../../bindings/ProbeResults'
import { fieldError } from '../../lib/errors'
import type { Call } from '../../lib/ipc'
import { notices } from '../../lib/notices.svelte'
import { Resource, Work } from '../../lib/resource.svelte'
import { session } from '../../lib/session.svelte'

/** Whether tokens cannot be saved or read: then they can be kept for the session alone. */
const isOfKeychain = (error: CommandError | null) =>
  (error?.code === 'keychain' || error?.code === 'tokens') && error.about !== 'other-account'

const ADVANCED = ['time-zone', 'static-prefix', 'agent-prefix'] as const

export class ConnectionForm {
  draft = $state<ConnectionDraft>(blank())
  /** The test of the draft and its results; null: not tested. */
  readonly tested = new Resource<ProbeResults | null>(null)
  private readonly saving = new Work()
  readonly busy = $derived(this.tested.busy ? 'test' : this.saving.busy ? 'save' : null)
  readonly error = $derived(this.saving.error ?? this.tested.error)
  /** Whether what is wrong, or what helps, is under "Advanced". */
  readonly needsAdvanced = $derived(
    this.draft.sessionOnly ||
      [this.error, notices.error].some(isOfKeychain) ||
      ADVANCED.some((field) => fieldError(this.error, field) !== ''),
  )
  /** Whether tokens are saved already, so that their fields may stay empty. */
  readonly saved: { static: boolean; agent: boolean }

  constructor(
    private readonly call: Call,
    connection: ConnectionView | null,
  ) {
    this.saved = { static: connection?.hasStaticToken ?? false, agent: connection?.hasAgentToken ?? false }
    if (connection) this.draft = { ...blank(), ...pick(connection) }
  }

  async test(): Promise<void> {
    this.saving.error = null
    this.tested.value = null
    await this.tested.ask((signal) => this.call('test_connection', $state.snapshot(this.draft), signal))
  }

  /** Saves and opens the connection. Returns whether it was saved. */
  async save(): Promise<boolean> {
    this.tested.error = null
    return this.saving.once(async () => {
      const { id } = await this.call('save_connection', $state.snapshot(this.draft))
      this.forget()
      await session.open(id)
    })
  }

  /** Removes the tokens from the page when the form is left, and what their test or saving showed. */
  forget(): void {
    this.tested.drop()
    this.tested.value = null
    this.tested.error = null
    this.saving.error = null
    this.draft.staticToken = ''
    this.draft.agentToken = ''
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
