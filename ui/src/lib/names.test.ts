import { beforeEach, describe, expect, it } from 'vitest'
import type { NamedPlaces } from '../bindings/NamedPlaces'
import type { PurchaseConfig } from '../bindings/PurchaseConfig'
import { Program, part } from '../testing/program'
import { Names } from './names.svelte'

const JAPAN = part<NamedPlaces['countries'][number]>({ countryCode: 'JP', nameZh: '日本', nameEn: 'Japan' })
const inJapan = part<PurchaseConfig>({
  quotaItems: [{ type: 'country_random', countryCode: 'JP', quantity: 2 }],
} as Partial<PurchaseConfig>)
let program: Program
let names: Names
beforeEach(() => {
  program = new Program()
  names = new Names(program.call)
})

describe('the names of places', () => {
  it('are asked for once, and an id stands for a name until it is known', async () => {
    const known: NamedPlaces = { continents: [], countries: [JAPAN], cities: [], complete: true }
    program.answer('place_names', known)
    expect(names.of('country', 'JP')).toBe('JP')
    await names.read([inJapan, inJapan])
    expect([names.of('country', 'JP'), names.of('city', 'JP')]).toEqual(['Japan', 'JP'])
    expect(program.last('place_names')).toEqual({
      continents: [],
      countries: ['JP'],
      cities: [],
    })
    await names.read([inJapan])
    expect(program.count('place_names')).toBe(1)
  })

  it('are known for business purposes too, which are read once and hold up nothing', async () => {
    const bought = part<PurchaseConfig>({ businessId: '7' })
    await names.read([bought])
    await names.read([bought])
    expect([names.of('purpose', '7'), program.count('purposes')]).toEqual(['7', 1])
    await program.held('purposes')[0]?.refuse('unreachable')
    await names.read([bought])
    await program.held('purposes')[0]?.answer([{ value: '7', nameZh: '商店', nameEn: 'Shops', children: [] }])
    expect([names.of('purpose', '7'), names.knows('purpose', '7')]).toEqual(['Shops', true])
    await names.read([bought])
    expect(program.count('purposes')).toBe(2)
  })

  it('stay ids without an answer, and are asked for again', async () => {
    const reading = names.read([inJapan])
    await program.held('place_names')[0]?.refuse('given-up')
    await reading
    expect(names.of('country', 'JP')).toBe('JP')
    void names.read([inJapan])
    expect(program.count('place_names')).toBe(2)
  })
})
