import { describe, expect, it } from 'vitest'
import {
  config,
  daysOf,
  isBegun,
  type Line,
  lineItem,
  missing,
  missingPlace,
  type PlaceChoice,
  type Typed,
  wholeNumber,
} from './lines'

const typed: Typed = {
  sellMode: '1',
  lineType: 'basic',
  businessId: '1001',
  isUdp: false,
  bandwidth: '10',
  connLimit: '100',
  days: '30',
  proxyType: 'socks5',
}
const line: Line = {
  key: 1,
  strategy: '1',
  item: { type: 'country_random', quantity: 3, countryCode: 'JP' },
  nameEn: 'Japan',
  nameZh: '日本',
}

describe('a quantity', () => {
  it.each([
    ['1', 1],
    [' 500 ', 500],
    ['１２', 12],
    ['0', null],
    ['501', null],
    ['-1', null],
    ['1.5', null],
    ['1e2', null],
    ['10²', null],
    ['', null],
    ['many', null],
  ])('"%s" is %s', (text, value) => {
    expect(wholeNumber(text, 500)).toBe(value)
  })
})

describe('a line', () => {
  const place: PlaceChoice = { kind: 'city', continentId: '3', countryCode: 'JP', stateId: '9', cityId: '77' }

  it.each([
    ['city', { type: 'city', quantity: 2, countryCode: 'JP', cityId: '77' }],
    ['country_random', { type: 'country_random', quantity: 2, countryCode: 'JP' }],
    ['continent_random', { type: 'continent_random', quantity: 2, continentId: '3' }],
    ['global_random', { type: 'global_random', quantity: 2 }],
  ] as const)('%s carries only what belongs to it', (kind, expected) => {
    expect(lineItem({ ...place, kind }, 2)).toEqual(expected)
  })

  it('without its place is none', () => {
    expect(lineItem({ ...place, cityId: '' }, 2)).toBeNull()
    expect(lineItem({ ...place, kind: 'country_random', countryCode: '' }, 2)).toBeNull()
  })
})

describe('a place', () => {
  const nowhere = { continentId: '', countryCode: '', stateId: '', cityId: '' }

  it.each([
    ['city', {}, true, 'buy-country'],
    ['city', { countryCode: 'JP' }, true, 'buy-state'],
    ['city', { countryCode: 'JP' }, false, 'buy-city'],
    ['city', { countryCode: 'JP', stateId: '9' }, true, 'buy-city'],
    ['city', { countryCode: 'JP', stateId: '9', cityId: '77' }, true, null],
    ['country_random', { continentId: '3' }, false, 'buy-country'],
    ['country_random', { countryCode: 'JP' }, true, null],
    ['continent_random', {}, false, 'buy-continent'],
    ['continent_random', { continentId: '3' }, false, null],
    ['global_random', {}, false, null],
  ] as const)('%s with %j lacks its picker or nothing', (kind, chosen, hasStates, lacking) => {
    const place = { kind, ...nowhere, ...chosen }
    expect(missingPlace(place, hasStates)).toBe(lacking)
    expect(lineItem(place, 1) === null).toBe(lacking !== null)
  })

  it('is begun as soon as anything of it is chosen', () => {
    expect(isBegun({ kind: 'city', ...nowhere })).toBe(false)
    expect(isBegun({ kind: 'city', ...nowhere, continentId: '3' })).toBe(true)
    expect(isBegun({ kind: 'city', ...nowhere, stateId: '9' })).toBe(true)
    expect(isBegun({ kind: 'global_random', ...nowhere })).toBe(true)
  })
})

describe('a config', () => {
  it('counts the IPs of its lines', () => {
    const made = config([line, { ...line, key: 2 }], typed)
    expect(made?.purchaseIpCount).toBe(6)
    expect(made?.quotaItems).toHaveLength(2)
  })

  it('is none while something is missing, and says what', () => {
    expect(config([], typed)).toBeNull()
    expect(config([line], { ...typed, businessId: '' })).toBeNull()
    expect(missing({ ...typed, days: 'x', businessId: ' ' })).toEqual(['buy-business', 'buy-days'])
  })

  it('names what is missing in the order of the screen', () => {
    const nothing = { sellMode: '', lineType: '', businessId: '', bandwidth: 'x', connLimit: '', days: '' }
    expect(missing({ ...typed, ...nothing })).toEqual([
      'buy-sell-mode',
      'buy-line-type',
      'buy-business',
      'buy-days',
      'buy-bandwidth',
      'buy-conn-limit',
    ])
  })

  it('has days only if they are a number', () => {
    expect([daysOf(typed), daysOf({ ...typed, days: '' }), daysOf({ ...typed, days: '0' })]).toEqual([
      30,
      null,
      null,
    ])
  })

  it('keeps unlimited bandwidth and leaves an empty one out', () => {
    expect(config([line], { ...typed, bandwidth: '0' })?.bandwidthLimit).toBe(0)
    expect(config([line], { ...typed, bandwidth: '' })).not.toHaveProperty('bandwidthLimit')
  })
})
