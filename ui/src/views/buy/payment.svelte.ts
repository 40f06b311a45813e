/** The payment: one offer, one press, and the outcome. */
import type { Offered } from '../../bindings/Offered'
import type { OperationView } from '../../bindings/OperationView'
import type { Call } from '../../lib/ipc'
import { operations } from '../../lib/operations.svelte'
import { Resource, Work } from '../../lib/resource.svelte'
import type { Basket } from './basket.svelte'
import type { Pricing } from './price.svelte'

/** Vendor codes (expired, stale, wrong key or configuration) after which a price can no longer be paid. */
const PRICE_GONE = ['60306', '60307', '60308', '60309']

export class Payment {
  /** The offer that the open dialog shows and pays; one press spends it. */
  private readonly offering = new Resource<Offered | null>(null)
  readonly offer = $derived(this.offering.value)
  private readonly work = new Work()
  readonly paying = $derived(this.work.busy)
  readonly error = $derived(this.work.error ?? this.offering.error)
  /** The operation of the last payment here; null: none, or closed. Activity keeps it. */
  paidId = $state<string | null>(null)
  /** The operation whose refusal is being verified; empty: none. */
  private awaited = ''
  /** Operations of this basket that are not resolved, with the keys of the lines that they pay for. */
  private paid: { id: string; keys: number[] }[] = []

  constructor(
    private readonly call: Call,
    private readonly basket: Basket,
    private readonly price: Pricing,
  ) {}

  /** Whether the price can be paid now. */
  readonly payable = $derived.by(() => this.price.stands && !operations.openOrder)
  readonly operation = $derived<OperationView | null>(
    operations.all.find((one) => one.id === this.paidId) ?? null,
  )
  /** Whether the operation succeeded, so that its result is shown. */
  readonly bought = $derived(this.operation?.isDone ?? false)

  /** The operation whose outcome was announced. */
  private announced = ''

  /** Whether the outcome of an operation is news: it takes the focus once, not whenever Buy is opened again. */
  isNews(operation: string): boolean {
    const isNews = this.announced !== operation
    this.announced = operation
    return isNews
  }

  /** Opens the dialog that repeats what is bought, how many, for how long, and the price. */
  async open(): Promise<void> {
    const { current } = this.price
    if (!current || this.basket.open) return
    this.forget()
    await this.offering.ask(() => this.call('offer_order', current.quoteId))
    if (this.offering.error?.code === 'price-expired') this.price.expire()
  }

  /** Closes the dialog, and drops an offer that was asked for: the dialog never opens by itself later. */
  close(): void {
    if (this.paying) return
    this.offering.drop()
    this.offering.value = null
  }

  /** Sends the payment once. */
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
        // A refusal because of its key is verified first; until then the price stays.
        if (operation.state === 'verifying') this.awaited = operation.id
        else this.answered(operation)
        this.settle()
      } catch (thrown) {
        // Whatever went wrong, the journal has what was sent.
        await operations.read()
        throw thrown
      } finally {
        this.offering.value = null
      }
    })
    if (this.work.error?.code === 'price-expired') this.price.expire()
  }

  /** Removes bought lines, and only these, from the basket: confirmed at once, later, or in Activity. */
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

  /** Clears errors: they belong to the last action. */
  forget(): void {
    this.offering.error = this.work.error = this.price.answer.error = null
  }

  /** After a refusal, keeps the choices and the old price, which the new price is compared with. */
  private answered(operation: OperationView): void {
    if (operation.state !== 'rejected') this.price.forget()
    else if (PRICE_GONE.includes(operation.refusal?.code ?? '')) this.price.expire()
  }
}
