/** The place pickers: four linked levels, with the stock of each place. */
import type { City } from '../../bindings/City'
import type { Continent } from '../../bindings/Continent'
import type { Country } from '../../bindings/Country'
import type { CountryStock } from '../../bindings/CountryStock'
import type { InventoryCondition } from '../../bindings/InventoryCondition'
import type { PlaceHit } from '../../bindings/PlaceHit'
import type { Province } from '../../bindings/Province'
import type { SegmentStock } from '../../bindings/SegmentStock'
import type { SegmentsQuery } from '../../bindings/SegmentsQuery'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import { NOWHERE, type PlaceChoice } from './lines'

export type SegmentOrder = '' | 'stock' | 'price'
const SORTS = {
  '': {},
  stock: { sort: { field: 'stock', direction: 'desc' } },
  price: { sort: { field: 'price', direction: 'asc' } },
} as const satisfies Record<SegmentOrder, Partial<SegmentsQuery>>

type Within = { states: Province[]; cities: City[] }
const NOTHING: Within = { states: [], cities: [] }

export class Places {
  choice = $state<PlaceChoice>({ ...NOWHERE })
  private readonly world = new Resource<{ continents: Continent[]; countries: Country[] }>(
    {
      continents: [],
      countries: [],
    },
    { showsStop: true },
  )
  readonly continents = $derived(this.world.value.continents)
  private readonly allCountries = $derived(this.world.value.countries)
  /** States and cities of the chosen country. Those of an earlier choice are dropped. */
  private readonly within = new Resource<Within>(NOTHING)
  readonly states = $derived(this.within.value.states)
  readonly cities = $derived(this.within.value.cities)
  /** Whether the states or cities of the chosen country are being read. */
  readonly narrowing = $derived(this.within.busy)
  readonly error = $derived(this.within.error ?? this.world.error)
  /** Stock by segment in the chosen region; `null`: the vendor reports none. */
  private readonly segments = new Resource<SegmentStock[] | null>(null)
  readonly segmentStock = $derived(this.segments.value)
  /** A part of a segment or of a city; for vendors that search. */
  segmentKeyword = $state('')
  /** The order of the segments; empty: the vendor's own. For vendors that sort. */
  segmentOrder = $state<SegmentOrder>('')
  /** What the shown segments were asked for, apart from keyword and order. */
  private segmentsOf = ''
  /** Stock by country; empty: it could not be read. It is only a help, so names are then shown without it. */
  private readonly inStock = new Resource<CountryStock[]>([])
  private readonly stock = $derived(this.inStock.value)

  constructor(private readonly call: Call) {}

  readonly countries = $derived(
    this.choice.continentId
      ? this.allCountries.filter((country) => country.continentId === this.choice.continentId)
      : this.allCountries,
  )
  readonly country = $derived(this.allCountries.find((one) => one.countryCode === this.choice.countryCode))
  readonly state = $derived(this.states.find((one) => one.stateId === this.choice.stateId))
  readonly city = $derived(this.cities.find((one) => one.cityId === this.choice.cityId))
  readonly continent = $derived(this.continents.find((one) => one.continentId === this.choice.continentId))

  /** IPs in stock at the chosen place; null: not known. */
  readonly available = $derived.by(() => {
    const { kind, continentId, countryCode, cityId } = this.choice
    // Without one of the numbers there is no sum.
    const sum = (list: CountryStock[]) =>
      list.reduce<number | null>(
        (all, one) => (all === null || one.available === null ? null : all + one.available),
        0,
      )
    if (this.stock.length === 0) return null
    if (kind === 'global_random') return sum(this.stock)
    if (kind === 'continent_random')
      return continentId ? sum(this.stock.filter((one) => one.continentId === continentId)) : null
    return kind === 'city' ? this.cityStock(cityId) : this.countryStock(countryCode)
  })

  countryStock(code: string): number | null {
    return this.stock.find((one) => one.countryCode === code)?.available ?? null
  }

  cityStock(id: string): number | null {
    const country = this.stock.find((one) => one.countryCode === this.choice.countryCode)
    return country?.cities.find((one) => one.cityId === id)?.available ?? null
  }

  async load(signal?: AbortSignal): Promise<void> {
    this.within.error = null
    await this.world.ask(async () => {
      const [continents, countries] = await Promise.all([
        this.call('list_continents', null, signal),
        this.call('list_countries', { continentId: null }, signal),
      ])
      return { continents, countries }
    })
  }

  async loadStock(condition: InventoryCondition): Promise<void> {
    await this.inStock.ask(() => this.call('purchase_stock', { condition }))
    if (this.inStock.error) this.inStock.value = []
  }

  async loadSegmentStock(condition: InventoryCondition): Promise<void> {
    const { countryCode, cityId } = this.choice
    const of = JSON.stringify([countryCode, cityId, condition])
    if (of !== this.segmentsOf) {
      this.segments.drop()
      this.segments.value = null
    }
    this.segmentsOf = of
    if (!countryCode) return
    const region = { countryCode, ...(cityId ? { cityCode: cityId } : {}) }
    const keyword = this.segmentKeyword.trim()
    const wanted = { ...(keyword ? { keyword } : {}), ...SORTS[this.segmentOrder] }
    await this.segments.ask(() => this.call('segment_stock', { ...region, condition, ...wanted }))
  }

  /** Fills all pickers from a search result. */
  async fill(hit: PlaceHit): Promise<void> {
    const kind = {
      continent: 'continent_random',
      country: 'country_random',
      state: 'city',
      city: 'city',
    } as const
    this.choice.kind = kind[hit.level]
    this.choice.continentId = hit.continentId
    // Read again even if it is the same country: the vendor may have added the place since.
    this.choice.countryCode = ''
    await this.chooseCountry(hit.countryCode)
    if (hit.stateId && this.states.length > 0) await this.chooseState(hit.stateId)
    if (hit.cityId && this.cities.some((city) => city.cityId === hit.cityId)) this.choice.cityId = hit.cityId
  }

  chooseContinent(id: string): void {
    this.choice.continentId = id
    if (this.country && this.country.continentId !== id) void this.chooseCountry('')
  }

  async chooseCountry(code: string): Promise<void> {
    if (code && code === this.choice.countryCode) return
    Object.assign(this.choice, { countryCode: code, stateId: '', cityId: '' })
    await this.readWithin()
  }

  /** Shows another choice, and returns the one that was shown. */
  exchange(choice: PlaceChoice): PlaceChoice {
    const before = { ...this.choice }
    Object.assign(this.choice, choice)
    void this.readWithin()
    return before
  }

  /** Reads the states and cities of the chosen country. */
  private async readWithin(): Promise<void> {
    const { countryCode, stateId } = this.choice
    this.empty()
    if (!countryCode) return
    await this.within.ask(async () => {
      const states = await this.call('list_states', { countryCode, stateId: null })
      // "For countries that have states, choose the state before querying cities."
      const isKnown = states.length === 0 || stateId !== ''
      return { states, cities: isKnown ? await this.citiesOf(countryCode, stateId || null) : [] }
    })
  }

  async chooseState(id: string): Promise<void> {
    if (id === this.choice.stateId) return
    Object.assign(this.choice, { stateId: id, cityId: '' })
    const { states } = this
    this.within.value = { states, cities: [] }
    await this.within.ask(async () => ({ states, cities: await this.citiesOf(this.choice.countryCode, id) }))
  }

  /** Clears the pickers for the next line. */
  clear(): void {
    Object.assign(this.choice, { continentId: '', countryCode: '', stateId: '', cityId: '' })
    // "Anywhere" is complete in itself and must not be chosen again by default.
    if (this.choice.kind === 'global_random') this.choice.kind = 'country_random'
    this.empty()
  }

  private empty(): void {
    this.within.drop()
    this.within.value = NOTHING
  }

  private citiesOf(countryCode: string, stateId: string | null): Promise<City[]> {
    return this.call('list_cities', { countryCode, stateId })
  }
}
