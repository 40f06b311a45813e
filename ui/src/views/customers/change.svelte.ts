/** One change of a customer in its dialog: what is typed, its confirmation, what became of it. */
import type { ChangeDraft } from '../../bindings/ChangeDraft'
import type { CommandError } from '../../bindings/CommandError'
import type { OperationView } from '../../bindings/OperationView'
import { app } from '../../lib/app.svelte'
import { asCommandError, call } from '../../lib/ipc'

export class Change {
  sending = $state(false)
  error = $state<CommandError | null>(null)
  done = $state.raw<OperationView | null>(null)

  /** Checks, confirms and sends once. A second press while it is under way does nothing. */
  async send(draft: ChangeDraft): Promise<OperationView | null> {
    if (this.sending) return null
    this.sending = true
    this.error = null
    try {
      const { token } = await call('offer_change', draft)
      this.done = await call('confirm_change', token)
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
