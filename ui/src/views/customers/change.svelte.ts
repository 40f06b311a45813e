/** A change of a customer in its dialog: the draft, the confirmation, the outcome. */
import type { ChangeDraft } from '../../bindings/ChangeDraft'
import type { OperationView } from '../../bindings/OperationView'
import type { Call } from '../../lib/ipc'
import { operations } from '../../lib/operations.svelte'
import { Work } from '../../lib/resource.svelte'

/** Describes a change without its secret. */
function subject(draft: ChangeDraft): string {
  if (draft.change === 'create') return `create ${draft.userName}`
  return `${draft.change} ${draft.customerId} ${draft.change === 'status' ? draft.active : ''}`
}

export class Change {
  private readonly work = new Work()
  readonly sending = $derived(this.work.busy)
  /** Other actions in the dialog, which send nothing. */
  private readonly beside = new Work()
  /** The last error; null: none. */
  readonly error = $derived(this.work.error ?? this.beside.error)
  /** Whether the user accepts the risk that the vendor still carries out what it refused before. */
  anyway = $state(false)
  private asked = ''
  done = $state.raw<OperationView | null>(null)

  constructor(private readonly call: Call) {}

  /** Whether the same was refused before, so that the user has to accept the risk first. */
  get mustBeSure(): boolean {
    return this.error?.code === 'still-watched' && !this.anyway
  }

  /** Checks, confirms and sends once. A second press does nothing until the operations were read. */
  async send(draft: ChangeDraft): Promise<OperationView | null> {
    if (this.sending) return null
    // The risk was accepted for this change only.
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

  /** Saves the secrets of the new customer, after the keychain failed before. */
  async saveSecrets(): Promise<void> {
    const { done } = this
    if (!done) return
    const saved = await this.beside.attempt(async () => {
      this.done = await this.call('save_secrets', done.id)
    })
    if (saved) this.work.error = null
    await operations.read()
  }

  /** Returns a generated password; `null`: it could not be generated. */
  async generatePassword(): Promise<string | null> {
    let password: string | null = null
    const made = await this.beside.attempt(async () => {
      password = await this.call('generate_password', null)
    })
    if (made) this.work.error = null
    return password
  }
}
