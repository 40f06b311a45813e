/** The agent's customers: all of them, searched here. */
import type { CommandError } from '../../bindings/CommandError'
import type { Customer } from '../../bindings/Customer'
import type { CustomersRead } from '../../bindings/CustomersRead'
import type { Direction } from '../../bindings/Direction'
import { call, failure } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

/** Rows shown at most: more than that is searched for. */
const MOST = 200

export class Customers {
  read = $state.raw<CustomersRead | null>(null)
  search = $state('')
  error = $state<CommandError | null>(null)
  readonly wait = new Wait()
  /** The dialog that is open. */
  moving = $state<{ direction: Direction; customer: Customer } | null>(null)
  /** The operation that was last begun here. */
  begun = $state<string | null>(null)

  readonly found = $derived.by(() => {
    const wanted = this.search.trim().toLowerCase()
    const all = this.read?.rows ?? []
    return wanted
      ? all.filter((row) => row.userName.toLowerCase().includes(wanted) || row.customerId === wanted)
      : all
  })
  readonly shown = $derived(this.found.slice(0, MOST))

  async load(again = false): Promise<void> {
    this.error = null
    try {
      this.read = await this.wait.run((signal) => call('list_customers', again, signal))
    } catch (thrown) {
      this.error = failure(thrown)
    }
  }
}
