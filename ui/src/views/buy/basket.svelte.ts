/** The basket: lines of the order, the form for the next one, and the configuration as typed. */
import type { Choice } from '../../bindings/Choice'
import type { PlaceHit } from '../../bindings/PlaceHit'
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import type { SegmentStock } from '../../bindings/SegmentStock'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import type { Names } from '../../lib/names.svelte'
import { placeNames } from '../../lib/purchase'
import { Form } from './form.svelte'
import {
  addressOf,
  config,
  type Item,
  ipsIn,
  type Line,
  linesOf,
  MOST_IPS,
  missing,
  NOWHERE,
  type PlaceChoice,
  STRATEGIES,
  type Strategy,
  stockCondition,
  type Typed,
  typedOf,
  wholeNumber,
} from './lines'
import { FIELDS, type Gone, stillOffered, stillThere } from './offered'
import { Places } from './places.svelte'

export class Basket {
  readonly places: Places
  private shown = $state<Strategy>('1')
  /** The choice of place that is not shown: a region while a place is chosen, a place while a region is. */
  private aside = $state.raw<PlaceChoice>(NOWHERE)
  /** Lines of all strategies. Switching the strategy hides lines but keeps them. */
  private allLines = $state<Line[]>([])
  readonly lines = $derived(this.allLines.filter((line) => line.strategy === this.strategy))
  /** Choices that are not among the lines yet. */
  readonly form: Form
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
  private counter = 0

  constructor(call: Call) {
    this.places = new Places(call)
    this.form = new Form(
      this.places,
      () => this.strategy,
      () => this.lines,
    )
  }

  get strategy(): Strategy {
    return this.shown
  }

  set strategy(next: Strategy) {
    // The region of given IPs is no half-chosen place, and the other way around.
    if ((next === '1') !== (this.shown === '1')) this.aside = this.places.exchange(this.aside)
    this.shown = next
  }

  /** Whether there are choices beside the lines. The order then has no price: it would be for less than was chosen. */
  readonly open = $derived.by(() => this.lines.length > 0 && (this.form.begun || this.elsewhere > 0))
  /** Whether anything is selected, under any strategy. */
  readonly begun = $derived.by(() => this.lines.length > 0 || this.form.begun || this.elsewhere > 0)
  readonly config = $derived(config(this.lines, this.typed))
  /** The configuration as text, which identifies the price that belongs to it. */
  readonly key = $derived(JSON.stringify(this.config))
  readonly total = $derived(ipsIn(this.lines))
  readonly missing = $derived(missing(this.typed))
  /** The other strategies under which anything is chosen. An order holds one strategy. */
  readonly others = $derived.by(() =>
    STRATEGIES.filter((one) => one !== this.strategy && this.countOf(one) > 0),
  )
  /** The number of lines and begun lines of other strategies, which are not in the order. */
  readonly elsewhere = $derived(this.others.reduce((sum, one) => sum + this.countOf(one), 0))

  /** The number of lines of a strategy that is not shown, with those that are begun. */
  private countOf(strategy: Strategy): number {
    const lines = this.allLines.filter((line) => line.strategy === strategy).length
    if (!this.form.isBegun(strategy, this.aside)) return lines
    const typed = { '1': 1, '2': this.form.typedSegments.items.length, '3': this.form.typedIps.items.length }
    return lines + Math.max(1, typed[strategy])
  }

  /** Drops what is chosen under other strategies. */
  leaveOthers(): void {
    for (const strategy of this.others) this.form.empty(strategy)
    if (this.strategy !== '1') this.aside = NOWHERE
    this.allLines = this.lines
  }

  /** Reads the stock for the current configuration. */
  async readStock(): Promise<void> {
    await this.places.loadStock(stockCondition(this.typed, this.strategy))
  }

  async readSegmentStock(): Promise<void> {
    await this.places.loadSegmentStock(stockCondition(this.typed, this.strategy))
  }

  /** Adds a segment from the stock, with its id and its place. */
  takeSegment(of: SegmentStock): void {
    const purchaseIpCount = wholeNumber(this.form.cidrQuantity, MOST_IPS)
    if (purchaseIpCount === null) return
    const { cidr, cidrId, countryCode, cityId } = of
    const known = Object.entries({ cidrId, countryCode, cityId }).filter(([, id]) => id)
    const item = { cidr, ...Object.fromEntries(known), purchaseIpCount }
    this.allLines.push({ strategy: '2', item, key: ++this.counter, nameEn: cidr, nameZh: cidr })
  }

  /** Adds the open form and empties it, or marks what it lacks. Returns whether it was added. */
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

  /** Chooses a place and a number of IPs for the next line; null and empty: none. */
  async choose(hit: PlaceHit | null, quantity: string): Promise<void> {
    this.strategy = '1'
    if (quantity) this.form.quantity = quantity
    if (hit) await this.places.fill(hit)
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
    this.removeLines([key])
  }

  removeLines(keys: number[]): void {
    this.allLines = this.allLines.filter((line) => !keys.includes(line.key))
  }

  /** Holds an earlier purchase instead. Returns what is no longer offered; the rest is applied. */
  refill(of: PurchaseConfig, options: PurchaseOptions, names: Names): Gone[] {
    this.allLines = []
    for (const strategy of STRATEGIES) this.form.empty(strategy)
    this.aside = NOWHERE
    this.places.clear()
    this.form.tried = false
    const { lines, lost } = stillThere(linesOf(of), names)
    this.strategy = lines[0]?.strategy ?? '1'
    this.allLines = lines.map((line) => ({ ...line, key: ++this.counter, ...namesOf(line, names) }))
    const { kept, gone } = stillOffered(typedOf(of), options)
    this.typed = kept
    return [...lost, ...gone]
  }

  /** Chooses the first value of each list that the vendor offers, or what was chosen last and is still offered. */
  preset(options: PurchaseOptions, last: PurchaseConfig | null = null): void {
    const first = (choices: { known: Choice[] }) => choices.known[0]?.value ?? ''
    this.typed.sellMode = first(options.exclusivity) || '1'
    this.typed.lineType = first(options.quality) || 'basic'
    this.typed.bandwidth = first(options.bandwidth)
    this.typed.connLimit = first(options.connLimit)
    const month = options.duration.known.find((choice) => choice.value === '30')
    this.typed.days = month?.value ?? first(options.duration)
    if (!last) return
    const { kept, gone } = stillOffered(typedOf(last), options)
    const chosen = Object.entries(kept).filter(([key]) => !gone.some((one) => FIELDS[one] === key))
    Object.assign(this.typed, Object.fromEntries(chosen))
  }
}

/** Returns the names of a line of an earlier purchase. */
function namesOf(line: Item, names: Names): { nameEn: string; nameZh: string } {
  if (line.strategy === '1') return placeNames(line.item, names)
  return { nameEn: addressOf(line), nameZh: addressOf(line) }
}
