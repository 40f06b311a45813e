/** Those that IPs can be for: buyers, and customers who are not buyers yet. Shared by all views. */
import type { AssignTo } from '../../bindings/AssignTo'
import type { BuyerView } from '../../bindings/BuyerView'
import type { Customer } from '../../bindings/Customer'
import type { Who } from '../../bindings/Who'
import type { Option } from '../../components/Combobox.svelte'
import { decimal } from '../format'
import { t } from '../i18n.svelte'
import type { Call } from '../ipc'
import { notices } from '../notices.svelte'
import { Resource, Work } from '../resource.svelte'

/** The value of an option that makes a new buyer of the typed name. */
const NEW = 'new '

export class People {
  private readonly list = new Resource<BuyerView[] | null>(null, { quiet: true })
  private readonly customers = new Resource<Customer[]>([], { quiet: true })
  /** All buyers by name; null: not read yet. Deleted ones are there while IPs still name them. */
  readonly buyers = $derived(this.list.value)
  readonly error = $derived(this.list.error)
  /** The deletion of a buyer. */
  readonly removal = new Work()
  /** Counts the changes made here: lists that show buyers follow it. */
  changes = $state(0)
  /** The choices of a field that asks for whom IPs are. */
  readonly options = $derived.by((): Option[] => {
    const buyers = (this.buyers ?? []).filter((buyer) => !buyer.deleted)
    const taken = new Set(buyers.map((buyer) => buyer.customer))
    const others = this.customers.value.filter((customer) => !taken.has(customer.customerId))
    return [
      ...buyers.map(({ id, name, contact }) => ({
        value: `buyer ${id}`,
        label: name,
        also: contact,
        group: t('buyers.title'),
      })),
      ...others.map(({ customerId, userName }) => ({
        value: `customer ${customerId}`,
        label: userName || customerId,
        also: customerId,
        group: t('frame.customers'),
      })),
    ]
  })

  constructor(private readonly call: Call) {}

  /** Reads the buyers, and the customers as they are stored. The rest works without customers. */
  async load(): Promise<void> {
    await Promise.all([
      this.list.ask(() => this.call('list_buyers', null)),
      this.customers.ask(() => this.call('list_customers', false)),
    ])
  }

  buyer(id: number | null | undefined): BuyerView | undefined {
    return this.buyers?.find((buyer) => buyer.id === id)
  }

  /** The value of the option that means a buyer. */
  readonly valueOf = (id: number) => `buyer ${id}`

  /** The option that makes a new buyer of a typed name. */
  readonly fresh = (typed: string): Option => ({
    value: `${NEW}${typed}`,
    label: t('buyers.new', { name: typed }),
  })

  /** Whom the value of an option means; null: nobody is chosen. */
  who(value: string): Who | null {
    const id = value.slice(value.indexOf(' ') + 1)
    if (value.startsWith('buyer ')) return { what: 'buyer', id: Number(id) }
    if (value.startsWith(NEW)) return { what: 'new', name: id }
    const customer = this.customers.value.find(({ customerId }) => customerId === id)
    if (value.startsWith('customer ') && customer)
      return { what: 'customer', id, name: customer.userName || id }
    return null
  }

  /** The buyer that a choice means, once it was recorded. */
  meant(who: Who): BuyerView | undefined {
    const there = (this.buyers ?? []).filter((buyer) => !buyer.deleted)
    const fold = (name: string) => name.trim().toLocaleLowerCase()
    if (who.what === 'buyer') return there.find(({ id }) => id === who.id)
    if (who.what === 'customer') return there.find(({ customer }) => customer === who.id)
    return who.what === 'new' ? there.find(({ name }) => fold(name) === fold(who.name)) : undefined
  }

  /** Records for whom IPs are, and notes on them. Throws what went wrong. */
  async assign(all: AssignTo[]): Promise<void> {
    const buyers = await this.call('assign_goods', all)
    this.list.value = buyers
    this.changes++
  }

  /** Records it as the one thing that `work` does, and says of how many IPs. Returns whether that succeeded. */
  async assignIn(work: Work, all: AssignTo[]): Promise<boolean> {
    const count = new Set(all.flatMap(({ keys }) => keys)).size
    const saved = await work.once(() => this.assign(all))
    if (saved) notices.notify(t('ips.assigned', { count, number: decimal(String(count)) }))
    return saved
  }

  /** Deletes a buyer. Returns whether that succeeded. */
  async remove(id: number): Promise<boolean> {
    return this.removal.once(async () => {
      await this.call('delete_buyer', id)
      await this.changed()
    })
  }

  /** Reads the buyers again, because one of them or what they got was changed. */
  async changed(): Promise<void> {
    await this.list.ask(() => this.call('list_buyers', null))
    this.changes++
  }
}
