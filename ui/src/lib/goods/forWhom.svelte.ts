/** For whom the IPs of one order are. */
import type { GoodsBuyer } from '../../bindings/GoodsBuyer'
import type { GoodsView } from '../../bindings/GoodsView'
import type { Who } from '../../bindings/Who'
import { moment } from '../format'
import { t } from '../i18n.svelte'
import type { Call } from '../ipc'
import { Resource, Work } from '../resource.svelte'
import type { People } from './people.svelte'
import { buyerName, whoseWords } from './words'

export class OrderBuyers {
  private readonly goods = new Resource<GoodsView[]>([], { quiet: true })
  private readonly assigning = new Work()
  readonly error = $derived(this.assigning.error ?? this.goods.error)
  readonly busy = $derived(this.assigning.busy)
  readonly reading = $derived(this.goods.busy)
  readonly all = $derived(this.goods.value)
  readonly keys = $derived(this.all.map(({ key }) => key))
  /** The IPs to hand over: those that the order still lists, or all if it lists none. */
  private readonly given = $derived.by(() => {
    const listed = this.all.filter(({ noLongerListed }) => !noLongerListed)
    return listed.length > 0 ? listed : this.all
  })
  readonly givenKeys = $derived(this.given.map(({ key }) => key))
  /** Each buyer with the number of IPs. */
  private readonly whose = $derived.by(() => {
    const whose = new Map<number | null, { buyer: GoodsBuyer | null; count: number }>()
    for (const { buyer } of this.all) {
      const id = buyer?.id ?? null
      whose.set(id, { buyer, count: (whose.get(id)?.count ?? 0) + 1 })
    }
    return [...whose.values()]
  })
  readonly isNobody = $derived(this.whose.every(({ buyer }) => buyer === null))
  /** Whether all are for the same, or for nobody. */
  readonly isForOne = $derived(this.whose.length <= 1)
  /** The buyer of every IP; null: there are several buyers, or none. */
  readonly one = $derived(this.isForOne ? (this.whose[0]?.buyer ?? null) : null)
  /** For whom the IPs are, in words. */
  readonly words = $derived(this.isForOne ? buyerName(this.one) || t('ips.nobody') : whoseWords(this.whose))
  /** Where all that have a buyer have one and the same: the others, such as those that were delivered later. */
  readonly rest = $derived.by(() => {
    const buyers = this.whose.flatMap(({ buyer }) => buyer ?? [])
    const [buyer] = buyers
    if (!buyer || buyer.deleted || buyers.length > 1) return null
    const keys = this.given.filter((row) => row.buyer === null).map(({ key }) => key)
    return keys.length > 0 ? { buyer, keys } : null
  })
  /** When all IPs to hand over were, the latest; null: not all were. */
  readonly sent = $derived.by(() => {
    const times = this.given.map(({ sent }) => sent?.at ?? null)
    const last = Math.max(...times.map((at) => at ?? 0))
    return times.length > 0 && !times.includes(null) ? moment(last) : null
  })

  constructor(
    private readonly call: Call,
    private readonly people: People,
    readonly orderNo: string,
  ) {}

  async load(): Promise<void> {
    await this.goods.ask(() => this.call('goods_of', this.orderNo))
  }

  /** Records that all IPs of the order are for somebody. Returns whether that succeeded. */
  async assign(value: string): Promise<boolean> {
    const who = this.people.who(value)
    return who !== null && (await this.record(this.keys, who))
  }

  /** Records that the others are for the buyer of those that have one. Returns whether that succeeded. */
  async assignRest(): Promise<boolean> {
    const { rest } = this
    return rest !== null && (await this.record(rest.keys, { what: 'buyer', id: rest.buyer.id }))
  }

  private record(keys: string[], who: Who): Promise<boolean> {
    return this.people.assignIn(this.assigning, [{ keys, who, note: null }])
  }
}
