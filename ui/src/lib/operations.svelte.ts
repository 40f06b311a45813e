/** The operations of the open connection, newest first, read again whenever one changes. */
import type { OperationView } from '../bindings/OperationView'
import { figures } from './figures.svelte'
import { useGbFactor } from './gbFactor.svelte'
import { type Call, call, onOperationChanged } from './ipc'
import { isPayment } from './kinds'
import { notices } from './notices.svelte'
import { Resource, Work } from './resource.svelte'

/** The shortest time between two reads, in ms. */
const REST = 150

export class Operations {
  private readonly list = new Resource<OperationView[]>([])
  readonly all = $derived(this.list.value)
  /** Whether they were read since the connection was opened. */
  isRead = $state(false)
  private listening = false
  private resting = false
  private again = false

  constructor(private readonly call: Call) {}

  readonly unconfirmed = $derived(this.all.filter((operation) => operation.isUnconfirmed))
  /** The unconfirmed ones that go on only when the person does something. */
  readonly waiting = $derived(
    this.unconfirmed.filter(
      ({ state, needsToken, nextAt }) => state === 'needs-you' || needsToken || nextAt === null,
    ),
  )
  /** The open order, which blocks the wallet; undefined: none. */
  readonly openOrder = $derived(this.all.find((operation) => isPayment(operation.kind) && operation.isOpen))

  /** Starts to follow changes. */
  async watch(): Promise<void> {
    if (this.listening) return
    this.listening = true
    try {
      await onOperationChanged(() => this.readSoon())
    } catch (thrown) {
      this.listening = false
      throw thrown
    }
  }

  /** Forgets the operations of the previous connection. */
  forget(): void {
    this.list.drop()
    this.list.value = []
    this.isRead = false
  }

  /** Drops a pending answer, which belongs to an earlier state or another connection. */
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
      // A move may have revealed the vendor's GB factor.
      const factor = await this.call('gb_factor', null)
      if (this.list.value === all) useGbFactor(factor)
    })
    if (following.error && this.list.value === all) notices.error = following.error
  }

  /** Reads at once, and once more after a rest if more changed: a bulk changes many rows a second. */
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
