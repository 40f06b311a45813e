/** One change of a customer in its dialog: what is typed, its confirmation, what became of it. */
import type { ChangeDraft } from '../../bindings/ChangeDraft'
import type { CommandError } from '../../bindings/CommandError'
import type { OperationView } from '../../bindings/OperationView'
import { app } from '../../lib/app.svelte'
import { asCommandError, call } from '../../lib/ipc'

/** What a change is about, without its secret. */
function whose(draft: ChangeDraft): string {
  if (draft.change === 'create') return `create ${draft.userName}`
  return `${draft.change} ${draft.customerId} ${draft.change === 'status' ? draft.active : ''}`
}

export class Change {
  sending = $state(false)
  error = $state<CommandError | null>(null)
  /** The person knows that the vendor may still carry out what it refused before. */
  anyway = $state(false)
  private asked = ''
  done = $state.raw<OperationView | null>(null)

  /** The same was refused before: the risk has to be accepted first. */
  get mustBeSure(): boolean {
    return this.error?.code === 'still-watched' && !this.anyway
  }

  /** Checks, confirms and sends once. A second press while it is under way does nothing. */
  async send(draft: ChangeDraft): Promise<OperationView | null> {
    if (this.sending) return null
    this.sending = true
    // The risk was accepted for what was asked about, and for nothing else.
    const asked = whose(draft)
    const anyway = this.anyway && asked === this.asked
    this.asked = asked
    this.anyway = false
    this.error = null
    try {
      const { token } = await call('offer_change', draft)
      this.done = await call('confirm_change', { token, anyway })
      return this.done
    } catch (thrown) {
      this.error = asCommandError(thrown)
      return null
    } finally {
      this.sending = false
      await app.readOperations()
    }
  }
}
