/** A buyer's page: what was handed over and when, and the traffic of the customer that the buyer is. */
import type { CustomerRow } from '../../bindings/CustomerRow'
import type { DeliveryView } from '../../bindings/DeliveryView'
import { figures, OLD } from '../../lib/figures.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import { Ips } from './ips.svelte'

/**
 * A customer with the read of the list that it is from: when, the journal's position before it, and whether the usage
 * is read that the days left are estimated from.
 */
type Traffic = { row: CustomerRow; readAt: number; seen: number; usageRead: boolean }

/** The lists of IPs on the buyers' pages: each keeps its search, its filters and its selection. */
export class BuyersIps {
  private readonly all = new Map<number, Ips>()

  constructor(private readonly call: Call) {}

  of(buyer: number): Ips {
    // Outside the page that asks first: what belongs to a page no longer follows anything once that is left.
    if (!this.all.has(buyer)) $effect.root(() => void this.all.set(buyer, new Ips(this.call, buyer)))
    return this.all.get(buyer) as Ips
  }
}

export class BuyerDetail {
  readonly deliveries = new Resource<DeliveryView[] | null>(null, { quiet: true })
  private readonly traffic = new Resource<Traffic | null>(null, { quiet: true })
  /** The customer's figures; null: not read, or the buyer is no customer of the list. */
  readonly customer = $derived(this.traffic.value)
  /** Whether an operation has touched them since they were read. */
  readonly isOld = $derived(
    this.customer !== null && figures.isOld('customers', this.customer.seen, this.customer.row.customerId),
  )

  /** The end of an operation that touched them, after which they have to be read again; null: there is none. */
  readonly due = $derived(this.customer && this.isOld ? figures.due('customers', this.customer.seen) : null)

  constructor(
    private readonly call: Call,
    private readonly id: number,
  ) {}

  async load(): Promise<void> {
    await this.deliveries.ask(() => this.call('deliveries_of', this.id))
  }

  /**
   * Shows a customer's figures as they are stored, and reads them again if they are old. Who is not in the list has
   * none, and the rest works without.
   */
  async readTraffic(customer: string): Promise<void> {
    if (this.customer?.row.customerId !== customer) this.traffic.value = null
    const stored = await this.traffic.ask(() => this.figuresOf(customer, false))
    if (stored && this.due === null && Date.now() - stored.readAt > OLD) await this.readAgain()
  }

  /** Reads the figures that are shown again. */
  async readAgain(): Promise<void> {
    const customer = this.customer?.row.customerId
    if (customer) await this.traffic.ask(() => this.figuresOf(customer, true))
  }

  private async figuresOf(customer: string, again: boolean): Promise<Traffic> {
    const { readAt, seen, usageRead } = await this.call('read_customers', again)
    const { row } = await this.call('customer_page', customer)
    return { row, readAt, seen, usageRead }
  }
}
