/** Settings: the keychain's state, and leaving a connection. */
import type { CommandError } from '../../bindings/CommandError'
import type { ConnectionView } from '../../bindings/ConnectionView'
import type { KeychainState } from '../../bindings/KeychainState'
import { app } from '../../lib/app.svelte'
import { asCommandError, call } from '../../lib/ipc'

export class SettingsState {
  keychain = $state<KeychainState | null>(null)
  /** The connection whose removal is being confirmed. */
  leaving = $state<ConnectionView | null>(null)
  error = $state<CommandError | null>(null)

  async lookAtKeychain(): Promise<void> {
    this.keychain = null
    try {
      this.keychain = await call('keychain_state', null)
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  async remove(): Promise<void> {
    const connection = this.leaving
    if (!connection) return
    this.leaving = null
    try {
      await call('remove_connection', connection.id)
      await app.start()
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }
}
