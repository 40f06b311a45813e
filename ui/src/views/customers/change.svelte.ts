/** One change of a customer in its dialog: what is typed, its confirmation, what became of it. */
import type { ChangeDraft } from '../../bindings/ChangeDraft'
import type { OperationView } from '../../bindings/OperationView'
import type { Call } from '../../lib/ipc'
import { operations } from '../../lib/operations.svelte'
import { Work } from '../../lib/resource.svelte'

/** What a change is about, without its secret. */
function subject(draft: ChangeDraft): string {
  if (draft.change === 'create') return `create ${draft.userName}`
  return `${draft.change} ${draft.customerId} ${draft.change === 'status' ? draft.active : ''}`
}

export class Change {
  private readonly work = new Work()
  readonly sending = $derived(this.work.busy)
  /** What stands beside the change in its dialog and sends nothing. */
  private readonly beside = new Work()
  /** What went wrong last. */
  readonly error = $derived(this.work.error ?? this.beside.error)
  /** The person knows that the vendor may still carry out what it refused before. */
  anyway = $state(false)
  private asked = ''
  done = $state.raw<OperationView | null>(null)

  constructor(private readonly call: Call) {}

  /** The same was refused before: the risk has to be accepted first. */
  get mustBeSure(): boolean {
    return this.error?.code === 'still-watched' && !this.anyway
  }

  /** Checks, confirms and sends once. A second press does nothing until what was sent is among the operations. */
  async send(draft: ChangeDraft): Promise<OperationView | null> {
    if (this.sending) return null
    // The risk was accepted for what was asked about, and for nothing else.
    const asked = subject(draft)
    const anyway = this.anyway && asked === this.asked
    this.asked = asked
    this.anyway = false
    this.beside.error = null
    const sent = await this.work.once(async () => {
      try {
        const { token } = await this.call('offer_change', draft)
        this.done = await this.call('confirm_change', { token, anyway })
      } finally {
        await operations.read()
      }
    })
    return sent ? this.done : null
  }

  /** Saves the secrets of the customer that was made: the keychain did not take them before. */
  async saveSecrets(): Promise<void> {
    const { done } = this
    if (!done) return
    const saved = await this.beside.attempt(async () => {
      this.done = await this.call('save_secrets', done.id)
    })
    if (saved) this.work.error = null
    await operations.read()
  }

  /** Returns a password that the program makes up; `null` when it could not. */
  async generatePassword(): Promise<string | null> {
    let password: string | null = null
    const made = await this.beside.attempt(async () => {
      password = await this.call('generate_password', null)
    })
    if (made) this.work.error = null
    return password
  }
}
