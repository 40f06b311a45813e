/** The pickers: four linked levels, and stock beside the names. */
import type { City } from '../../bindings/City'
import type { CommandError } from '../../bindings/CommandError'
import type { Continent } from '../../bindings/Continent'
import type { Country } from '../../bindings/Country'
import type { CountryStock } from '../../bindings/CountryStock'
import type { InventoryCondition } from '../../bindings/InventoryCondition'
import type { PlaceHit } from '../../bindings/PlaceHit'
import type { Province } from '../../bindings/Province'
import type { SegmentStock } from '../../bindings/SegmentStock'
import { asCommandError, call } from '../../lib/ipc'
import type { PlaceChoice } from './basket'

export class Places {
  choice = $state<PlaceChoice>({
    kind: 'country_random',
    continentId: '',
    countryCode: '',
    stateId: '',
    cityId: '',
  })
  continents = $state.raw<Continent[]>([])
  allCountries = $state.raw<Country[]>([])
  states = $state.raw<Province[]>([])
  cities = $state.raw<City[]>([])
  segmentStock = $state.raw<SegmentStock[] | null>(null)
  error = $state<CommandError | null>(null)
  private stock = $state.raw<CountryStock[]>([])
  /** Answers for an earlier choice are dropped. */
  private asked = 0
  private stockAsked = 0
  private segmentsAsked = 0

  readonly countries = $derived(
    this.choice.continentId
      ? this.allCountries.filter((country) => country.continentId === this.choice.continentId)
      : this.allCountries,
  )
  readonly country = $derived(this.allCountries.find((one) => one.countryCode === this.choice.countryCode))
  readonly state = $derived(this.states.find((one) => one.stateId === this.choice.stateId))
  readonly city = $derived(this.cities.find((one) => one.cityId === this.choice.cityId))
  readonly continent = $derived(this.continents.find((one) => one.continentId === this.choice.continentId))

  /** IPs in stock at the chosen place; null while it is not known. */
  readonly available = $derived.by(() => {
    const { kind, continentId, countryCode, cityId } = this.choice
    const sum = (list: CountryStock[]) => list.reduce((all, one) => all + (one.available ?? 0), 0)
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
    this.error = null
    try {
      ;[this.continents, this.allCountries] = await Promise.all([
        call('list_continents', null, signal),
        call('list_countries', { continentId: null }, signal),
      ])
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  /** Stock is a help, not a condition: when it cannot be had, names stand alone. */
  async loadStock(condition: InventoryCondition): Promise<void> {
    const asked = ++this.stockAsked
    try {
      const stock = await call('purchase_stock', { condition })
      if (asked === this.stockAsked) this.stock = stock
    } catch {
      if (asked === this.stockAsked) this.stock = []
    }
  }

  /** Stock by segment of the chosen region; null where the vendor tells none. */
  async loadSegmentStock(condition: InventoryCondition): Promise<void> {
    const { countryCode, cityId } = this.choice
    const asked = ++this.segmentsAsked
    this.segmentStock = null
    if (!countryCode) return
    try {
      const segments = await call('segment_stock', {
        countryCode,
        ...(cityId ? { cityCode: cityId } : {}),
        condition,
      })
      if (asked === this.segmentsAsked) this.segmentStock = segments
    } catch {
      // As above: a help, not a condition.
    }
  }

  /** Fills all four pickers. */
  async fill(hit: PlaceHit): Promise<void> {
    const kind = {
      continent: 'continent_random',
      country: 'country_random',
      state: 'city',
      city: 'city',
    } as const
    this.choice.kind = kind[hit.level]
    this.choice.continentId = hit.continentId
    // Read again, though it is the same: the vendor may just have named a place that was not there.
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
    this.states = []
    this.cities = []
    if (!code) return
    const asked = ++this.asked
    await this.read(async () => {
      const states = await call('list_states', { countryCode: code, stateId: null })
      if (asked !== this.asked) return
      this.states = states
      // "For countries that have states, choose the state before querying cities."
      if (states.length === 0) await this.readCities(code, null, asked)
    })
  }

  async chooseState(id: string): Promise<void> {
    if (id === this.choice.stateId) return
    Object.assign(this.choice, { stateId: id, cityId: '' })
    this.cities = []
    const asked = ++this.asked
    await this.read(() => this.readCities(this.choice.countryCode, id, asked))
  }

  /** Ready for the next line. */
  clear(): void {
    Object.assign(this.choice, { continentId: '', countryCode: '', stateId: '', cityId: '' })
    // "Anywhere" is whole as it stands: it is not chosen again by itself.
    if (this.choice.kind === 'global_random') this.choice.kind = 'country_random'
    this.states = []
    this.cities = []
  }

  private async readCities(countryCode: string, stateId: string | null, asked: number): Promise<void> {
    const cities = await call('list_cities', { countryCode, stateId })
    if (asked === this.asked) this.cities = cities
  }

  private async read(work: () => Promise<void>): Promise<void> {
    this.error = null
    try {
      await work()
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }
}
