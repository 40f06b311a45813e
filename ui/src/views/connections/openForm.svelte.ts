/** The open form of a connection. It outlives its view: only tokens go with it. */
import type { ConnectionView } from '../../bindings/ConnectionView'
import type { Call } from '../../lib/ipc'
import { ConnectionForm } from './connections.svelte'

export class OpenForm {
  /** The form, for a new connection (`connection` is null) or a saved one; null: none is open. */
  current = $state.raw<{ connection: ConnectionView | null; form: ConnectionForm } | null>(null)
  private end = () => {}

  constructor(private readonly call: Call) {}

  open(connection: ConnectionView | null): void {
    this.close()
    // It has its own effect root: effects that belong to a view end with the view.
    this.end = $effect.root(() => {
      this.current = { connection, form: new ConnectionForm(this.call, connection) }
    })
  }

  close(): void {
    this.end()
    this.current = null
  }
}
