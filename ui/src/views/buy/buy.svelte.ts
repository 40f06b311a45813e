/** Buying in one connection: options, basket, price and payment. */
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import type { Call } from '../../lib/ipc'
import type { Names } from '../../lib/names.svelte'
import { Resource } from '../../lib/resource.svelte'
import { Basket } from './basket.svelte'
import type { Gone } from './offered'
import { Payment } from './payment.svelte'
import { Pricing } from './price.svelte'
import { PlaceSearch } from './search.svelte'

export class Buy {
  readonly basket: Basket
  readonly price: Pricing
  readonly payment: Payment
  readonly search: PlaceSearch
  /** What the vendor offers. A stop is shown with a way to continue. */
  readonly reading = new Resource<PurchaseOptions | null>(null, { showsStop: true, quiet: true })
  private begun = $state(false)
  /** The earlier purchase to buy again; null: none, or it is in the basket. */
  private wanted: { purchase: PurchaseConfig; names: Names } | null = null
  /** The choices of the purchase that was priced last, to begin with. */
  private last: PurchaseConfig | null = null
  /** What the earlier purchase chose and is no longer offered. */
  gone = $state.raw<Gone[]>([])
  /** Whether an earlier purchase has just come into the basket. The view focuses the next step and takes this away. */
  repeated = $state(false)
  readonly options = $derived(this.reading.value)
  readonly loading = $derived(this.options === null && (this.reading.busy || !this.begun))
  readonly error = $derived.by(() => this.payment.error ?? this.price.answer.error ?? this.reading.error)

  /** The test id of the first control on screen that keeps the order from having a price; null: none does. */
  readonly lacks = $derived.by(() => {
    const { lines, form, missing, elsewhere } = this.basket
    if (lines.length === 0 || form.begun) return form.lacks ?? (lines.length > 0 ? 'buy-open-add' : null)
    return missing[0] ?? (elsewhere > 0 ? 'buy-elsewhere-show' : null)
  })

  constructor(private readonly call: Call) {
    this.basket = new Basket(call)
    this.price = new Pricing(call, this.basket)
    this.payment = new Payment(call, this.basket, this.price)
    this.search = new PlaceSearch(call)
  }

  /** Reads options and places. From the second time on, those on screen stay until then. */
  async load(): Promise<void> {
    this.begun = true
    if (this.options === null) this.reading.error = null
    const first = this.options === null
    const options = await this.reading.ask(
      async (signal) => {
        const [options, last] = await Promise.all([
          this.call('purchase_options', null, signal),
          first ? this.lastChoices() : null,
          this.basket.places.load(signal),
        ])
        this.last = last
        return options
      },
      (options) => {
        // Another read may have been faster, and choices made since must stay.
        if (first) this.basket.preset(options, this.last)
        // Do not request what the vendor no longer offers, even if it was chosen before.
        const [udp, other] = options.udp.offered
        if (udp && !other) this.basket.typed.isUdp = udp.on
      },
    )
    if (!options) return
    void this.call('perf_mark', 'first-data')
    await this.repeat(options)
  }

  /** Returns the choices of the last purchase; null: there is none, or it cannot be read. It is only a help. */
  private async lastChoices(): Promise<PurchaseConfig | null> {
    const asking = new Resource<PurchaseConfig | null>(null)
    return (await asking.ask(() => this.call('last_choices', null))) ?? null
  }

  /** Fills the basket with an earlier purchase and asks for its price, as soon as the options are there. */
  async again(purchase: PurchaseConfig, names: Names): Promise<void> {
    await names.read([purchase])
    this.wanted = { purchase, names }
    if (this.options) await this.repeat(this.options)
  }

  private async repeat(options: PurchaseOptions): Promise<void> {
    if (!this.wanted) return
    const { purchase, names } = this.wanted
    this.wanted = null
    this.gone = this.basket.refill(purchase, options, names)
    this.payment.paidId = null
    if (this.gone.length === 0) await this.getPrice()
    this.repeated = true
  }

  async getPrice(): Promise<void> {
    const { basket, price, payment } = this
    price.asked = true
    this.reading.error = null
    payment.forget()
    // What is chosen in the pickers is meant to be bought, even if it was not added.
    if (basket.lines.length === 0) basket.add()
    // Choices that are not a line are neither added nor left out silently.
    if (basket.open) basket.form.tried = true
    if (basket.open || !basket.config || price.answer.busy) return
    payment.paidId = null
    this.gone = []
    await price.ask()
  }

  /** Closes what is open above the view when it is left. */
  leave(): void {
    this.payment.close()
    this.search.open = false
  }

  async openPayment(): Promise<void> {
    this.reading.error = null
    await this.payment.open()
  }
}
