import { beforeEach, describe, expect, it } from 'vitest'
import type { City } from '../bindings/City'
import type { Country } from '../bindings/Country'
import type { PurchaseConfig } from '../bindings/PurchaseConfig'
import { Program, part } from '../testing/program'
import { Names } from './names.svelte'
import { placesText, purchaseRows } from './purchase'

let program: Program
let names: Names
beforeEach(() => {
  program = new Program()
  names = new Names(program.call)
})

const purchase = (of: Partial<PurchaseConfig> = {}): PurchaseConfig => ({
  sellMode: 1,
  lineType: 'premium',
  businessId: '1002',
  isUdp: false,
  bandwidthLimit: 0,
  connLimit: 100,
  days: 30,
  allocateStrategy: 1,
  purchaseIpCount: 5,
  proxyType: 'socks5',
  quotaItems: [
    { type: 'country_random', quantity: 3, countryCode: 'JP' },
    { type: 'city', quantity: 2, countryCode: 'JP', cityId: '77' },
  ],
  ...of,
})
const known = {
  continents: [],
  countries: [part<Country>({ countryCode: 'JP', nameEn: 'Japan', nameZh: '日本' })],
  cities: [part<City>({ cityId: '77', nameEn: 'Osaka', nameZh: '大阪' })],
  complete: true,
}

describe('a purchase in words', () => {
  it('names every choice', async () => {
    program.answer('place_names', known)
    const choice = { nameEn: '', nameZh: '', children: [] }
    const shops = { ...choice, value: '1002', nameEn: 'Own shops' }
    names.learn([{ ...choice, value: '10', children: [shops] }])
    await names.read([purchase()])
    expect(purchaseRows(purchase(), names).map((row) => [row.what, row.value])).toEqual([
      ['where', 'Japan × 3 and Osaka, Japan × 2'],
      ['days', '30 days'],
      ['sell-mode', 'Exclusive'],
      ['line-type', 'Premium'],
      ['business', 'Own shops'],
      ['bandwidth', 'Unlimited'],
      ['conn-limit', '100'],
      ['proxy-type', 'SOCKS5'],
      ['udp', 'Off'],
    ])
  })

  it('shows what nobody has a word for as it is, and no default of the vendor’s', () => {
    const { bandwidthLimit: _, proxyType: __, ...rest } = purchase({ lineType: 'gold', sellMode: 7 })
    const rows = purchaseRows(rest, names)
    expect(rows.map((row) => row.what)).not.toContain('bandwidth')
    expect(rows.map((row) => row.value)).toEqual([
      'JP × 3 and 77, JP × 2',
      '30 days',
      '7',
      'gold',
      '1002',
      '100',
      'Off',
    ])
  })

  it('counts the lines that are too many to be named', () => {
    const ips = Array.from({ length: 9 }, (_, at) => ({ proxyIp: `192.0.2.${at}` }))
    const { quotaItems: _, ...rest } = purchase({ specificIpItems: ips })
    expect(placesText(rest, names)).toMatch(/^192\.0\.2\.0, .*192\.0\.2\.5 and 3 more$/)
  })
})

describe('names', () => {
  it('are asked for once, and ids stand for them until then and without an answer', async () => {
    program.refuse('place_names', 'unreachable')
    await names.read([purchase()])
    expect(names.of('country', 'JP')).toBe('JP')
    program.answer('place_names', known)
    await names.read([purchase(), purchase()])
    expect(program.last('place_names')).toEqual({ continents: [], countries: ['JP'], cities: ['77'] })
    const asked = program.count('place_names')
    await names.read([purchase()])
    expect([names.of('country', 'JP'), program.count('place_names')]).toEqual(['Japan', asked])
  })
})
