/** The open form: choices for the next lines, which are not in the order yet. */
import { named } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import { readIps, readSegments } from './addresses'
import {
  addressOf,
  type Item,
  ipsIn,
  isBegun,
  type Line,
  lineItem,
  MOST_IPS,
  missingPlace,
  type Picker,
  type PlaceChoice,
  type Strategy,
  wholeNumber,
} from './lines'
import type { Places } from './places.svelte'

const ONE = '1'

/** The test id of a field that lacks something. */
export type Lack = Picker | 'buy-quantity' | 'buy-cidr' | 'buy-ips'

export class Form {
  quantity = $state(ONE)
  /** Segments and IPs, as typed or pasted. */
  cidrs = $state('')
  cidrQuantity = $state(ONE)
  ips = $state('')
  /** Whether the user tried to add it, so that missing fields are marked. */
  tried = $state(false)

  constructor(
    private readonly places: Places,
    private readonly strategy: () => Strategy,
    private readonly lines: () => Line[],
  ) {}

  readonly typedSegments = $derived(readSegments(this.cidrs, this.cidrQuantity))
  readonly typedIps = $derived(readIps(this.ips))

  /** The lines that "Add" adds. */
  readonly items = $derived.by<Item[]>(() => {
    const { countryCode, cityId } = this.places.choice
    const region = { ...(countryCode ? { countryCode } : {}), ...(cityId ? { cityId } : {}) }
    const strategy = this.strategy()
    if (strategy === '2')
      return this.typedSegments.items.map((item) => ({ strategy: '2', item: { ...item, ...region } }))
    if (strategy === '3')
      return this.typedIps.items.map((item) => ({ strategy: '3', item: { ...item, ...region } }))
    const value = wholeNumber(this.quantity, MOST_IPS)
    const item = value === null ? null : lineItem(this.places.choice, value)
    return item ? [{ strategy: '1', item }] : []
  })

  readonly quantityError = $derived.by(() => {
    const value = wholeNumber(this.quantity, MOST_IPS)
    if (value === null) return t('invalid.quantity-out-of-range', { most: MOST_IPS })
    return ipsIn(this.lines()) + value > MOST_IPS && this.items.length > 0
      ? t('invalid.quantity-too-many', { most: MOST_IPS })
      : ''
  })

  /** The error for the number of IPs per segment, which applies to lines without their own; empty: none. */
  readonly segmentQuantityError = $derived(
    wholeNumber(this.cidrQuantity, MOST_IPS) === null
      ? t('invalid.quantity-out-of-range', { most: MOST_IPS })
      : '',
  )

  /** Why the form cannot be added, as a text or a list of problems; empty: nothing is wrong. */
  readonly error = $derived.by(() => {
    if (this.strategy() === '1') return this.quantityError
    const { problems } = this.strategy() === '2' ? this.typedSegments : this.typedIps
    if (problems.length > 0) return problems
    const lines = this.lines()
    const twice = this.items.find((one) => lines.some((line) => addressOf(line) === addressOf(one)))
    if (twice) return t('invalid.already-there', { name: addressOf(twice) })
    return ipsIn(lines) + ipsIn(this.items) > MOST_IPS
      ? t('invalid.quantity-too-many', { most: MOST_IPS })
      : ''
  })

  readonly addable = $derived(this.items.length > 0 && this.error === '')

  /** Whether anything was chosen or typed. */
  readonly begun = $derived.by(() => this.isBegun(this.strategy(), this.places.choice))

  /** Whether anything was chosen or typed under a strategy. A changed quantity counts too: it lacks its place. */
  isBegun(strategy: Strategy, place: PlaceChoice): boolean {
    if (strategy === '1') return isBegun(place) || this.quantity.trim() !== ONE
    return (strategy === '2' ? this.cidrs : this.ips).trim() !== ''
  }

  /** The test id of the field that lacks something; null: the form can be added. */
  readonly lacks = $derived.by((): Lack | null => {
    if (this.strategy() === '2') return this.addable ? null : 'buy-cidr'
    if (this.strategy() === '3') return this.addable ? null : 'buy-ips'
    const place = missingPlace(this.places.choice, this.places.states.length > 0)
    return place ?? (this.error === '' ? null : 'buy-quantity')
  })

  /** Why it cannot be added to the order; empty: it can. */
  readonly whyNot = $derived.by(() => {
    if (this.addable) return ''
    const typed = this.strategy() === '2' ? this.cidrs : this.ips
    if (this.strategy() !== '1' && typed.trim() === '') return t('why.empty')
    return t(this.lacks ? `buy.lacks-${this.lacks}` : 'why.wrong')
  })

  /** The name of the place, segment or IP, as far as it is chosen. */
  readonly name = $derived.by(() => {
    if (this.strategy() !== '1') return (this.strategy() === '2' ? this.cidrs : this.ips).trim().slice(0, 60)
    if (this.places.choice.kind === 'global_random') return t('buy.anywhere')
    const { city, state, country, continent } = this.places
    const place = city ?? state ?? country ?? continent
    return place ? named(place) : ''
  })

  /** Empties the form for the next line. Text typed under another strategy stays. */
  clear(): void {
    const strategy = this.strategy()
    this.empty(strategy)
    if (strategy === '1') this.places.clear()
    this.tried = false
  }

  /** Empties the fields of a strategy. */
  empty(strategy: Strategy): void {
    if (strategy === '2') this.cidrs = ''
    else if (strategy === '3') this.ips = ''
    else this.quantity = ONE
  }
}
