/** Buying: basket, price with its clock, the confirmed payment. */
import type { Choice } from '../../bindings/Choice'
import type { CommandError } from '../../bindings/CommandError'
import type { Offered } from '../../bindings/Offered'
import type { OperationView } from '../../bindings/OperationView'
import type { Price } from '../../bindings/Price'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import type { SegmentStock } from '../../bindings/SegmentStock'
import { app } from '../../lib/app.svelte'
import { difference } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call, failure } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'
import {
  addressOf,
  config,
  type Item,
  ipsIn,
  type Line,
  MOST_IPS,
  missing,
  type Strategy,
  stockCondition,
  type Typed,
  wholeNumber,
} from './basket'
import { Form } from './form.svelte'
import { Places } from './places.svelte'

/** A price and the very configuration it belongs to. */
type Priced = { price: Price; basket: string; ends: number | null; whole: number }

/** The program refuses to send in the last seconds of a price; the page says so a little earlier. */
const MARGIN = 6000

/** Expired, stale, key or configuration: these prices cannot be paid any more. */
const PRICE_GONE = ['60306', '60307', '60308', '60309']

export class Buy {
  places = new Places()
  strategy = $state<Strategy>('1')
  /** Lines of every strategy: another strategy hides them and loses none. */
  private allLines = $state<Line[]>([])
  readonly lines = $derived(this.allLines.filter((line) => line.strategy === this.strategy))
  /** What is chosen and typed, and not among the lines yet. */
  readonly form = new Form(
    this.places,
    () => this.strategy,
    () => this.lines,
  )
  typed = $state<Typed>({
    sellMode: '1',
    lineType: '',
    businessId: '',
    isUdp: false,
    bandwidth: '',
    connLimit: '',
    days: '',
    proxyType: 'socks5',
  })
  options = $state.raw<PurchaseOptions | null>(null)
  loading = $state(true)
  error = $state<CommandError | null>(null)
  /** "Get price" was pressed: missing fields are named from then on. */
  asked = $state(false)
  /** For the options, and for a price. */
  readonly reading = new Wait()
  readonly pricing = new Wait()
  private priced = $state.raw<Priced | null>(null)
  private last = $state.raw<{ basket: string; amount: string; version: string } | null>(null)
  now = $state(performance.now())
  /** What the open dialog shows and pays; spent by one press. */
  offer = $state.raw<Offered | null>(null)
  paying = $state(false)
  /** The operation that this visit made; Activity keeps it. */
  paidId = $state<string | null>(null)
  /** The order whose refusal is asked about once more. */
  private awaited = ''
  /** Operations of this basket that are not settled, with the lines that they pay. */
  private paid: { id: string; keys: number[] }[] = []
  private counter = 0

  /** Something is chosen that the order does not hold: there is no price for less than is on screen. */
  readonly open = $derived(this.lines.length > 0 && this.form.begun)
  readonly config = $derived(config(this.lines, this.typed))
  readonly basket = $derived(JSON.stringify(this.config))
  readonly total = $derived(ipsIn(this.lines))
  readonly missing = $derived(missing(this.typed))
  /** Any change of the configuration drops the price at once. */
  readonly price = $derived(!this.open && this.priced?.basket === this.basket ? this.priced.price : null)
  readonly left = $derived(this.price && this.priced?.ends != null ? this.priced.ends - this.now : null)
  readonly part = $derived(
    this.left === null || !this.priced ? 1 : Math.max(0, this.left / this.priced.whole),
  )
  readonly expired = $derived(this.left !== null && this.left <= 0)
  /** The price is kept on screen, but can no longer be bought. */
  readonly payable = $derived(
    this.price !== null && !this.pricing.busy && (this.left === null || this.left > MARGIN) && !app.openOrder,
  )
  /** What the price changed by, for the same basket. */
  readonly change = $derived.by(() => {
    if (!this.price || !this.last || this.last.basket !== this.basket) return null
    return difference(this.price.amount, this.last.amount)
  })
  readonly operation = $derived<OperationView | null>(
    app.operations.find((one) => one.id === this.paidId) ?? null,
  )
  /** The operation of this visit is done: its result is shown. */
  readonly bought = $derived(['applied', 'resolved-applied'].includes(this.operation?.state ?? ''))
  /** Lines, and what is typed, of other strategies: an order holds one kind. */
  readonly elsewhere = $derived(
    this.allLines.length -
      this.lines.length +
      (this.strategy === '2' ? 0 : this.form.typedSegments.items.length) +
      (this.strategy === '3' ? 0 : this.form.typedIps.items.length),
  )

  /** Reads options and places; the second time behind what is on screen already. */
  async load(): Promise<void> {
    const first = this.options === null
    if (first) this.error = null
    this.loading = first
    try {
      const [options] = await this.reading.run((signal) =>
        Promise.all([call('purchase_options', null, signal), this.places.load(signal)]),
      )
      // Another reading may have been quicker: what was chosen meanwhile stays.
      if (this.options === null) this.preset(options)
      this.options = options
      // What the vendor does not offer is not asked for, whatever was chosen when it did.
      const [udp, other] = options.udp.offered
      if (udp && !other) this.typed.isUdp = udp.on
      void call('perf_mark', 'first-data')
    } catch (thrown) {
      this.error = asCommandError(thrown)
    } finally {
      this.loading = false
    }
  }

  /** Reads stock for the configuration as it is. */
  async readStock(): Promise<void> {
    await this.places.loadStock(stockCondition(this.typed, this.strategy))
  }

  async readSegmentStock(): Promise<void> {
    await this.places.loadSegmentStock(stockCondition(this.typed, this.strategy))
  }

  /** Adds a segment that is in stock, in its own place and with its id. */
  takeSegment(of: SegmentStock): void {
    const purchaseIpCount = wholeNumber(this.form.cidrQuantity, MOST_IPS)
    if (purchaseIpCount === null) return
    const { cidr, cidrId, countryCode, cityId } = of
    const known = Object.entries({ cidrId, countryCode, cityId }).filter(([, id]) => id)
    const item = { cidr, ...Object.fromEntries(known), purchaseIpCount }
    this.allLines.push({ strategy: '2', item, key: ++this.counter, nameEn: cidr, nameZh: cidr })
  }

  /** Adds what the open form holds, and empties it. What it lacks is marked instead. */
  add(): boolean {
    if (!this.form.addable) {
      this.form.tried = true
      return false
    }
    for (const item of this.form.items)
      this.allLines.push({ ...item, key: ++this.counter, ...this.names(item) })
    this.form.clear()
    return true
  }

  private names(of: Item): { nameEn: string; nameZh: string } {
    if (of.strategy !== '1') return { nameEn: addressOf(of), nameZh: addressOf(of) }
    const { city, country, continent } = this.places
    const place = { city, country_random: country, continent_random: continent, global_random: undefined }[
      of.item.type
    ]
    const { nameEn, nameZh } = place ?? { nameEn: t('buy.anywhere'), nameZh: t('buy.anywhere') }
    return { nameEn, nameZh }
  }

  removeLine(key: number): void {
    this.allLines = this.allLines.filter((line) => line.key !== key)
  }

  async getPrice(): Promise<void> {
    this.asked = true
    this.error = null
    // What stands in the pickers is meant to be bought, added or not.
    if (this.lines.length === 0) this.add()
    // What is typed or chosen and is no line is neither added nor left out in silence.
    if (this.open) this.form.tried = true
    if (this.open || this.form.lacks === 'buy-cidr' || this.form.lacks === 'buy-ips') return
    const wanted = this.config
    if (!wanted || this.pricing.busy) return
    const basket = this.basket
    const same = this.priced?.basket === basket ? this.priced.price : null
    this.paidId = null
    try {
      const price = await this.pricing.run((signal) =>
        call('purchase_price', { config: wanted, lastVersion: same?.quoteVersion ?? null }, signal),
      )
      this.last = same ? { basket, amount: same.amount, version: same.quoteVersion } : null
      this.now = performance.now()
      const whole = price.expiresIn ?? 0
      this.priced = {
        price,
        basket,
        ends: price.expiresIn === null ? null : this.now + whole,
        whole: whole || 1,
      }
    } catch (thrown) {
      this.error = failure(thrown)
      // Who stops waiting keeps what was there.
      if (this.error) this.priced = null
    }
  }

  /** Opens the dialog that repeats what, how many, how long, how much. */
  async openPayment(): Promise<void> {
    if (!this.price || this.open) return
    this.error = null
    try {
      this.offer = await call('offer_order', this.price.quoteId)
    } catch (thrown) {
      this.error = asCommandError(thrown)
      if (this.error.code === 'price-expired') this.expire()
    }
  }

  closePayment(): void {
    if (!this.paying) this.offer = null
  }

  async pay(): Promise<void> {
    const { offer } = this
    if (!offer || this.paying) return
    this.paying = true
    const keys = this.lines.map((line) => line.key)
    try {
      const operation = await call('pay_order', offer.token)
      this.paidId = operation.id
      this.paid.push({ id: operation.id, keys })
      await app.readOperations()
      // A no about its key is asked once more: the price waits for the end.
      if (operation.state === 'verifying') this.awaited = operation.id
      else this.answered(operation)
      this.settle()
    } catch (thrown) {
      this.error = asCommandError(thrown)
      if (this.error.code === 'price-expired') this.expire()
      // Whatever went wrong, the journal knows what was sent.
      await app.readOperations()
    } finally {
      this.paying = false
      this.offer = null
    }
  }

  /** What is bought leaves the basket, once and no other line with it: at once, by a repeat, or from Activity. */
  settle(): void {
    const awaited = app.operations.find((one) => one.id === this.awaited)
    if (awaited && !['verifying', 'sending'].includes(awaited.state)) {
      this.awaited = ''
      this.answered(awaited)
    }
    const applied = ['applied', 'resolved-applied']
    const over = [...applied, 'resolved-not']
    const stateOf = (id: string) => app.operations.find((one) => one.id === id)?.state ?? ''
    const bought = this.paid.filter((one) => applied.includes(stateOf(one.id))).flatMap((one) => one.keys)
    if (this.paid.some((one) => over.includes(stateOf(one.id))))
      this.paid = this.paid.filter((one) => !over.includes(stateOf(one.id)))
    if (bought.length === 0) return
    this.allLines = this.allLines.filter((line) => !bought.includes(line.key))
    this.asked = false
    this.priced = null
  }

  /** What a refused order was priced at stays, and so do the choices: the new price is compared with it. */
  private answered(operation: OperationView): void {
    if (operation.state !== 'rejected') this.priced = null
    else if (PRICE_GONE.includes(operation.refusal?.code ?? '')) this.expire()
  }

  private expire(): void {
    if (this.priced) this.priced = { ...this.priced, ends: performance.now() }
    this.now = performance.now()
  }

  /** First choice of each list where the vendor offers one. */
  private preset(options: PurchaseOptions): void {
    const first = (choices: { known: Choice[] }) => choices.known[0]?.value ?? ''
    this.typed.sellMode = first(options.exclusivity) || '1'
    this.typed.lineType = first(options.quality) || 'basic'
    this.typed.bandwidth = first(options.bandwidth)
    this.typed.connLimit = first(options.connLimit)
    const month = options.duration.known.find((choice) => choice.value === '30')
    this.typed.days = month?.value ?? first(options.duration)
  }
}
