/** Settings: the state of the keychain, and removing a connection. */
import type { ConnectionView } from '../../bindings/ConnectionView'
import type { KeychainState } from '../../bindings/KeychainState'
import type { Call } from '../../lib/ipc'
import { Resource, Work } from '../../lib/resource.svelte'
import { session } from '../../lib/session.svelte'

export class SettingsState {
  readonly keychain = new Resource<KeychainState | null>(null, { quiet: true })
  /** The connection whose removal is being confirmed; null: none. */
  leaving = $state<ConnectionView | null>(null)
  private readonly removal = new Work()
  readonly error = $derived(this.removal.error ?? this.keychain.error)

  constructor(private readonly call: Call) {}

  async lookAtKeychain(): Promise<void> {
    this.keychain.value = null
    await this.keychain.ask(() => this.call('keychain_state', null))
  }

  async remove(): Promise<void> {
    const connection = this.leaving
    if (!connection) return
    this.leaving = null
    await this.removal.attempt(async () => {
      await this.call('remove_connection', connection.id)
      await session.start()
    })
  }
}
