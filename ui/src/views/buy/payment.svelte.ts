/** The confirmed payment: one offer, one press, and what became of it. */
import type { Offered } from '../../bindings/Offered'
import type { OperationView } from '../../bindings/OperationView'
import type { Call } from '../../lib/ipc'
import { operations } from '../../lib/operations.svelte'
import { Resource, Work } from '../../lib/resource.svelte'
import type { Basket } from './basket.svelte'
import type { Pricing } from './price.svelte'

/** Expired, stale, key or configuration: these prices cannot be paid any more. */
const PRICE_GONE = ['60306', '60307', '60308', '60309']

export class Payment {
  /** What the open dialog shows and pays; spent by one press. */
  private readonly offering = new Resource<Offered | null>(null)
  readonly offer = $derived(this.offering.value)
  private readonly work = new Work()
  readonly paying = $derived(this.work.busy)
  readonly error = $derived(this.work.error ?? this.offering.error)
  /** The operation that this visit made; Activity keeps it. */
  paidId = $state<string | null>(null)
  /** The order whose refusal is asked about once more. */
  private awaited = ''
  /** Operations of this basket that are not settled, with the lines that they pay. */
  private paid: { id: string; keys: number[] }[] = []

  constructor(
    private readonly call: Call,
    private readonly basket: Basket,
    private readonly price: Pricing,
  ) {}

  /** The price can be bought now. */
  readonly payable = $derived.by(() => this.price.stands && !operations.openOrder)
  readonly operation = $derived<OperationView | null>(
    operations.all.find((one) => one.id === this.paidId) ?? null,
  )
  /** The operation of this visit is done: its result is shown. */
  readonly bought = $derived(this.operation?.isDone ?? false)

  /** Opens the dialog that repeats what, how many, how long, how much. */
  async open(): Promise<void> {
    const { current } = this.price
    if (!current || this.basket.open) return
    this.forget()
    await this.offering.ask(() => this.call('offer_order', current.quoteId))
    if (this.offering.error?.code === 'price-expired') this.price.expire()
  }

  close(): void {
    if (!this.paying) this.offering.value = null
  }

  /** Sends once. */
  async pay(): Promise<void> {
    const { offer } = this
    if (!offer || this.paying) return
    const keys = this.basket.lines.map((line) => line.key)
    await this.work.once(async () => {
      try {
        const operation = await this.call('pay_order', offer.token)
        this.paidId = operation.id
        this.paid.push({ id: operation.id, keys })
        await operations.read()
        // A no about its key is asked once more: the price waits for the end.
        if (operation.state === 'verifying') this.awaited = operation.id
        else this.answered(operation)
        this.settle()
      } catch (thrown) {
        // Whatever went wrong, the journal knows what was sent.
        await operations.read()
        throw thrown
      } finally {
        this.offering.value = null
      }
    })
    if (this.work.error?.code === 'price-expired') this.price.expire()
  }

  /** What is bought leaves the basket, once and no other line with it: at once, by a repeat, or from Activity. */
  settle(): void {
    const awaited = operations.all.find((one) => one.id === this.awaited)
    if (awaited && !awaited.isAtWork) {
      this.awaited = ''
      this.answered(awaited)
    }
    const ended = new Map(
      operations.all
        .filter((one) => one.isDone || one.state === 'resolved-not')
        .map((one) => [one.id, one.isDone] as const),
    )
    const bought = this.paid.filter((one) => ended.get(one.id)).flatMap((one) => one.keys)
    this.paid = this.paid.filter((one) => !ended.has(one.id))
    if (bought.length === 0) return
    this.basket.removeLines(bought)
    this.price.asked = false
    this.price.forget()
  }

  /** An error belongs to what was done last. */
  forget(): void {
    this.offering.error = this.work.error = this.price.answer.error = null
  }

  /** What a refused order was priced at stays, and so do the choices: the new price is compared with it. */
  private answered(operation: OperationView): void {
    if (operation.state !== 'rejected') this.price.forget()
    else if (PRICE_GONE.includes(operation.refusal?.code ?? '')) this.price.expire()
  }
}
