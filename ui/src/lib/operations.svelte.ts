/** The operations of the open connection, newest first: read whenever one changes. */
import type { OperationView } from '../bindings/OperationView'
import { figures } from './figures.svelte'
import { useGbFactor } from './gbFactor.svelte'
import { type Call, call, onOperationChanged } from './ipc'
import { notices } from './notices.svelte'
import { Resource, Work } from './resource.svelte'

/** Between two readings while they change, in ms. */
const REST = 150

export class Operations {
  private readonly list = new Resource<OperationView[]>([])
  readonly all = $derived(this.list.value)
  /** They are read; before that, none are known. */
  isRead = $state(false)
  private listening = false
  private resting = false
  private again = false

  constructor(private readonly call: Call) {}

  readonly unconfirmed = $derived(this.all.filter((operation) => operation.isUnconfirmed))
  /** The operation that holds the wallet, if any. */
  readonly openOrder = $derived(
    this.all.find((operation) => operation.kind === 'place-and-pay' && operation.isOpen),
  )

  /** Follows them from now on. */
  async watch(): Promise<void> {
    if (this.listening) return
    this.listening = true
    await onOperationChanged(() => this.readSoon())
  }

  /** Those of another connection: none of what is here is among them. */
  forget(): void {
    this.list.drop()
    this.list.value = []
    this.isRead = false
  }

  /** An answer that is under way tells of an earlier state, or of another connection. */
  drop(): void {
    this.list.drop()
  }

  async read(): Promise<void> {
    const all = await this.list.ask(() => this.call('list_operations', null))
    if (!all) {
      if (this.list.error) notices.error = this.list.error
      return
    }
    this.isRead = true
    const following = new Work()
    await following.attempt(async () => {
      await figures.follow()
      // A move may have shown how the vendor counts.
      useGbFactor(await this.call('gb_factor', null))
    })
    if (following.error && this.list.value === all) notices.error = following.error
  }

  /** At once, and for whatever follows, once more when it has calmed down: a bulk changes many a second. */
  private readSoon(): void {
    if (this.resting) {
      this.again = true
      return
    }
    this.resting = true
    void this.read().finally(() =>
      setTimeout(() => {
        this.resting = false
        if (this.again) {
          this.again = false
          this.readSoon()
        }
      }, REST),
    )
  }
}

export const operations = new Operations(call)
