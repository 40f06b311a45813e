import { beforeEach, describe, expect, it } from 'vitest'
import type { City } from '../../bindings/City'
import type { CountryStock } from '../../bindings/CountryStock'
import type { Province } from '../../bindings/Province'
import type { SegmentStock } from '../../bindings/SegmentStock'
import { Program, part } from '../../testing/program'
import { Places } from './places.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const states = (...ids: string[]) => ids.map((stateId) => part<Province>({ stateId }))
const cities = (...ids: string[]) => ids.map((cityId) => part<City>({ cityId }))

describe('places', () => {
  it('show states and cities of the country that was chosen last', async () => {
    const places = new Places(program.call)
    const first = places.chooseCountry('US')
    const second = places.chooseCountry('CA')
    const [early, late] = program.held('list_states')
    await late?.answer(states('QC'))
    await early?.answer(states('TX'))
    await Promise.all([first, second])
    expect(places.states.map((one) => one.stateId)).toEqual(['QC'])
  })

  it('read cities at once where a country has no states, else of the state that is chosen', async () => {
    const places = new Places(program.call)
    program.answer('list_states', ({ countryCode }) => (countryCode === 'US' ? states('TX') : []))
    program.answer('list_cities', ({ stateId }) => cities(stateId ?? 'whole'))
    await places.chooseCountry('MT')
    expect(places.cities.map((one) => one.cityId)).toEqual(['whole'])
    await places.chooseCountry('US')
    expect(places.cities).toEqual([])
    await places.chooseState('TX')
    expect([places.cities[0]?.cityId, places.states.length]).toEqual(['TX', 1])
  })

  it('forget what is under way when they are cleared', async () => {
    const places = new Places(program.call)
    const chosen = places.chooseCountry('US')
    places.clear()
    await program.held('list_states')[0]?.answer(states('TX'))
    await chosen
    expect([places.states, places.choice.countryCode]).toEqual([[], ''])
  })

  it('have no number of a whole world or continent of which the vendor does not give every number', async () => {
    const places = new Places(program.call)
    const stock = (...numbers: (number | null)[]) =>
      numbers.map((available) =>
        part<CountryStock>({ countryCode: 'US', continentId: '1', available, cities: [] }),
      )
    const known = async (...numbers: (number | null)[]) => {
      program.answer('purchase_stock', stock(...numbers))
      await places.loadStock({ allocateStrategy: 1, isUdp: false })
      return places.available
    }
    for (const kind of ['global_random', 'continent_random'] as const) {
      Object.assign(places.choice, { kind, continentId: '1' })
      expect([await known(3, 4), await known(3, null), await known(null), await known(0)]).toEqual([
        7,
        null,
        null,
        0,
      ])
    }
  })

  it('show names alone where stock cannot be had, and no stock of an earlier question', async () => {
    const places = new Places(program.call)
    const condition = { allocateStrategy: 1, isUdp: false }
    const stock = (available: number) => [part<CountryStock>({ countryCode: 'US', available, cities: [] })]
    const loads = Promise.all([places.loadStock(condition), places.loadStock(condition)])
    const [early, late] = program.held('purchase_stock')
    await late?.answer(stock(7))
    await early?.answer(stock(3))
    await loads
    expect(places.countryStock('US')).toBe(7)
    program.refuse('purchase_stock', 'vendor-trouble')
    await places.loadStock(condition)
    expect([places.countryStock('US'), places.error]).toEqual([null, null])
  })

  it('keep the segments on screen while they are searched or sorted, and forget them with their region', async () => {
    const places = new Places(program.call)
    places.choice.countryCode = 'US'
    const condition = { allocateStrategy: 2, isUdp: false }
    const rows = [part<SegmentStock>({ cidr: '203.0.113.0/24' })]
    program.answer('segment_stock', rows)
    await places.loadSegmentStock(condition)
    expect(program.last('segment_stock')).toEqual({ countryCode: 'US', condition })
    Object.assign(places, { segmentKeyword: ' 203 ', segmentOrder: 'stock' })
    const loaded = places.loadSegmentStock(condition)
    expect(places.segmentStock).toEqual(rows)
    await loaded
    const sort = { field: 'stock', direction: 'desc' }
    expect(program.last('segment_stock')).toEqual({ countryCode: 'US', condition, keyword: '203', sort })
    places.choice.countryCode = 'CA'
    const other = places.loadSegmentStock(condition)
    expect(places.segmentStock).toBeNull()
    await other
  })

  it('show no segments of a region that was left', async () => {
    const places = new Places(program.call)
    places.choice.countryCode = 'US'
    const condition = { allocateStrategy: 2, isUdp: false }
    const loaded = places.loadSegmentStock(condition)
    places.choice.countryCode = ''
    await places.loadSegmentStock(condition)
    await program.held('segment_stock')[0]?.answer([part<SegmentStock>({ cidr: '203.0.113.0/24' })])
    await loaded
    expect(places.segmentStock).toBeNull()
  })
})
