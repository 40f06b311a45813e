/** The order book: what was placed from here, and what was added by number. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { CommandError } from '../../bindings/CommandError'
import { app } from '../../lib/app.svelte'
import { Reading } from '../../lib/figures.svelte'
import { asCommandError, call, failure, onOrderChanged } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

export class Orders {
  all = $state.raw<BookedOrder[]>([])
  loading = $state(true)
  error = $state<CommandError | null>(null)
  /** "Add an order by number": open, and what is typed. */
  adding = $state(false)
  number = $state('')
  addError = $state<CommandError | null>(null)
  readonly waiting = new Wait()
  readonly reading = new Reading('orders')
  readonly shown = $derived(this.all.find((order) => order.orderNo === app.shownOrder) ?? null)

  /** Reads now and whenever an order changed. Returns how to stop. */
  watch(): () => void {
    void this.load()
    const listening = onOrderChanged(() => void this.load())
    return () => void listening.then((stop) => stop())
  }

  async load(): Promise<void> {
    this.error = null
    try {
      this.all = await this.reading.run(() => call('list_orders', null))
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
    this.loading = false
  }

  async add(): Promise<void> {
    this.addError = null
    try {
      const order = await this.waiting.run((signal) =>
        call('order_detail', this.number.normalize('NFKC'), signal),
      )
      await this.load()
      app.shownOrder = order.orderNo
      this.number = ''
      this.adding = false
    } catch (thrown) {
      this.addError = failure(thrown)
    }
  }
}
