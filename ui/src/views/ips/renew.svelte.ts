/** Renewing selected IPs: the period, its price, the offer, and one payment. */
import type { OperationView } from '../../bindings/OperationView'
import type { RenewalOffered } from '../../bindings/RenewalOffered'
import type { RenewalPriced } from '../../bindings/RenewalPriced'
import type { Call } from '../../lib/ipc'
import { operations } from '../../lib/operations.svelte'
import { Resource, Work } from '../../lib/resource.svelte'

/** Days that can be added. */
export const PERIODS = ['30', '60', '90', '180', '365'] as const

export class Renew {
  period = $state<string>(PERIODS[0])
  /** The price of the period; null: none yet, or it is asked for. */
  readonly pricing = new Resource<RenewalPriced | null>(null, { showsStop: true })
  readonly price = $derived(this.pricing.value)
  private readonly offering = new Resource<RenewalOffered | null>(null)
  /** The offer that a press pays; null: it is not confirmed yet. */
  readonly offer = $derived(this.offering.value)
  private readonly work = new Work()
  readonly paying = $derived(this.work.busy)
  readonly offers = $derived(this.offering.busy)
  /** What went wrong last; the payment first, because money is what matters. */
  readonly error = $derived(this.work.error ?? this.offering.error ?? this.pricing.error)
  /** The renewal as its payment answered. */
  private sent = $state.raw<OperationView | null>(null)
  /** The renewal once it was sent, as it is known now. */
  readonly operation = $derived<OperationView | null>(
    operations.all.find((one) => one.id === this.sent?.id) ?? this.sent,
  )

  constructor(
    private readonly call: Call,
    private readonly keys: string[],
  ) {}

  /** Asks for the price of the period. Renews nothing. An offer of an earlier price ends. */
  async ask(): Promise<void> {
    this.dropOffer()
    this.pricing.value = null
    const request = { keys: this.keys, periodDays: Number(this.period) }
    await this.pricing.ask((signal) => this.call('renewal_price', request, signal))
  }

  async choose(period: string): Promise<void> {
    this.period = period
    this.work.error = this.offering.error = null
    await this.ask()
  }

  /** Goes on to the step that pays the price shown. */
  async next(): Promise<void> {
    const { price } = this
    if (!price) return
    this.work.error = null
    await this.offering.ask(() => this.call('offer_renewal', price.number))
  }

  /** Goes back to the period. The offer is not paid. */
  back(): void {
    if (!this.paying) this.dropOffer()
  }

  private dropOffer(): void {
    this.offering.drop()
    this.offering.value = null
  }

  /** Sends the payment once. Another price sends nothing: it is shown, to be confirmed again. */
  async pay(): Promise<void> {
    const { offer } = this
    if (!offer || this.paying) return
    await this.work.once(async () => {
      try {
        this.sent = await this.call('pay_renewal', offer.token)
      } finally {
        // A token is spent by one press. Whatever went wrong, the journal has what was sent.
        this.offering.value = null
        await operations.read()
      }
    })
    if (this.work.error?.code === 'price-changed') await this.ask()
  }
}
