/** Buying: basket, price with its clock, the confirmed payment. */
import type { Choice } from '../../bindings/Choice'
import type { CommandError } from '../../bindings/CommandError'
import type { OperationView } from '../../bindings/OperationView'
import type { Price } from '../../bindings/Price'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import { app } from '../../lib/app.svelte'
import { difference } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call } from '../../lib/ipc'
import {
  config,
  ipsIn,
  type Line,
  lineItem,
  MOST_IPS,
  missing,
  STRATEGY_RANDOM,
  type Typed,
  wholeNumber,
} from './basket'
import { Places } from './places.svelte'

/** A price and the very configuration it belongs to. */
type Priced = { price: Price; basket: string; ends: number | null; whole: number }

/** The program refuses to send in the last seconds of a price; the page says so a little earlier. */
const MARGIN = 6000

/** Expired, stale, key or configuration: these prices can not be paid any more. */
const PRICE_GONE = ['60306', '60307', '60308', '60309']

export class Buy {
  places = new Places()
  lines = $state<Line[]>([])
  quantity = $state('1')
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
  pricing = $state(false)
  private priced = $state.raw<Priced | null>(null)
  private last = $state.raw<{ basket: string; amount: string; version: string } | null>(null)
  now = $state(performance.now())
  /** The open dialog's token; spent by one press. */
  offer = $state<string | null>(null)
  paying = $state(false)
  /** The operation that this visit made; Activity keeps it. */
  paidId = $state<string | null>(null)
  private counter = 0

  readonly config = $derived(config(this.lines, this.typed))
  readonly basket = $derived(JSON.stringify(this.config))
  readonly total = $derived(ipsIn(this.lines))
  readonly missing = $derived(missing(this.typed))
  /** Any change of the configuration drops the price at once. */
  readonly price = $derived(this.priced?.basket === this.basket ? this.priced.price : null)
  readonly left = $derived(this.price && this.priced?.ends != null ? this.priced.ends - this.now : null)
  readonly part = $derived(
    this.left === null || !this.priced ? 1 : Math.max(0, this.left / this.priced.whole),
  )
  readonly expired = $derived(this.left !== null && this.left <= 0)
  /** The price is kept on screen, but can no longer be bought. */
  readonly payable = $derived(
    this.price !== null && (this.left === null || this.left > MARGIN) && !app.openOrder,
  )
  /** What the price changed by, for the same basket. */
  readonly change = $derived.by(() => {
    if (!this.price || !this.last || this.last.basket !== this.basket) return null
    return difference(this.price.amount, this.last.amount)
  })
  readonly operation = $derived<OperationView | null>(
    app.operations.find((one) => one.id === this.paidId) ?? null,
  )
  /** The last basket is paid: its lines must not be bought again by accident. */
  readonly bought = $derived(['applied', 'resolved-applied'].includes(this.operation?.state ?? ''))
  readonly quantityError = $derived.by(() => {
    const value = wholeNumber(this.quantity, MOST_IPS)
    if (value === null) return t('invalid.quantity-out-of-range', { most: MOST_IPS })
    return this.total + value > MOST_IPS && this.draft
      ? t('invalid.quantity-too-many', { most: MOST_IPS })
      : ''
  })
  /** The line that the pickers hold. */
  readonly draft = $derived.by(() => {
    const value = wholeNumber(this.quantity, MOST_IPS)
    return value === null ? null : lineItem(this.places.choice, value)
  })

  async load(): Promise<void> {
    this.error = null
    this.loading = true
    try {
      const [options] = await Promise.all([call('purchase_options', null), this.places.load()])
      this.options = options
      this.preset(options)
      void call('perf_mark', 'first-data')
    } catch (thrown) {
      this.error = asCommandError(thrown)
    } finally {
      this.loading = false
    }
  }

  /** Reads stock for the configuration as it is. */
  async readStock(): Promise<void> {
    const { sellMode, lineType, businessId, isUdp } = this.typed
    await this.places.loadStock({
      sellMode: Number(sellMode),
      lineType,
      allocateStrategy: STRATEGY_RANDOM,
      businessId,
      isUdp,
    })
  }

  addLine(): boolean {
    const item = this.draft
    if (!item || this.quantityError) return false
    const { city, country, continent } = this.places
    const of = { city, country_random: country, continent_random: continent, global_random: undefined }[
      item.type
    ]
    const anywhere = { nameEn: t('buy.anywhere'), nameZh: t('buy.anywhere') }
    const { nameEn, nameZh } = of ?? anywhere
    this.lines.push({ key: ++this.counter, item, nameEn, nameZh })
    this.places.clear()
    this.quantity = '1'
    return true
  }

  removeLine(key: number): void {
    this.lines = this.lines.filter((line) => line.key !== key)
  }

  async getPrice(): Promise<void> {
    this.asked = true
    this.error = null
    // What stands in the pickers is meant to be bought, added or not.
    if (this.draft && (this.lines.length === 0 || this.places.choice.kind !== 'global_random')) this.addLine()
    const wanted = this.config
    if (!wanted || this.pricing) return
    const basket = this.basket
    const same = this.priced?.basket === basket ? this.priced.price : null
    this.pricing = true
    this.paidId = null
    try {
      const price = await call('purchase_price', { config: wanted, lastVersion: same?.quoteVersion ?? null })
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
      this.priced = null
      this.error = asCommandError(thrown)
    } finally {
      this.pricing = false
    }
  }

  /** Opens the dialog that repeats what, how many, how long, how much. */
  async openPayment(): Promise<void> {
    if (!this.price) return
    this.error = null
    try {
      this.offer = (await call('offer_order', this.price.quoteId)).token
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  closePayment(): void {
    if (!this.paying) this.offer = null
  }

  async pay(): Promise<void> {
    const token = this.offer
    if (!token || this.paying) return
    this.paying = true
    try {
      const operation = await call('pay_order', token)
      this.paidId = operation.id
      await app.readOperations()
      if (operation.state !== 'rejected') this.priced = null
      // The choices stay, and so does the sum to compare the new price with.
      else if (PRICE_GONE.includes(operation.refusal?.code ?? '')) this.expire()
    } catch (thrown) {
      this.error = asCommandError(thrown)
    } finally {
      this.paying = false
      this.offer = null
    }
  }

  /** The basket is bought: the next one begins empty, the configuration stays. */
  startAnew(): void {
    this.lines = []
    this.asked = false
    this.priced = null
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
