import { describe, expect, it } from 'vitest'
import type { GoodsView } from '../../bindings/GoodsView'
import { addressOf, moment } from '../../lib/format'
import { part } from '../../testing/program'
import { addressInKey, buyerName, countryOf, expiryOf, placeOf, sheet, stateOf, testWords } from './words'

const END = Date.parse('2026-12-01T00:00:00Z')
const row = (of: Partial<GoodsView> = {}) =>
  part<GoodsView>({
    key: 'SO1 192.0.2.1 1080',
    orderNo: 'SO1',
    host: '192.0.2.1',
    port: 1080,
    protocol: 'socks5',
    place: { countryZh: '日本', countryEn: 'Japan', countryCode: 'JP', cityZh: '', cityEn: 'Osaka' },
    expires: '2026-12-01 08:00:00',
    ends: END,
    extended: false,
    noLongerListed: false,
    state: 'active',
    buyer: { id: 1, name: 'ali', deleted: false },
    note: 'x',
    sent: { at: END, how: 'copied' },
    ...of,
  })

describe('an IP in words', () => {
  it('has its address, and its place with the code of the country', () => {
    expect([addressOf(row()), countryOf(row())]).toEqual(['192.0.2.1:1080', 'Japan (JP)'])
    expect(addressOf(row({ host: '2001:db8::1' }))).toBe('[2001:db8::1]:1080')
    const bare = { countryZh: '', countryEn: '', countryCode: 'JP', cityZh: '', cityEn: '' }
    expect([countryOf(row({ place: bare })), placeOf(row({ place: bare }))]).toEqual(['JP', 'JP'])
  })

  it('is named with its address in a test, which says what it has shown', () => {
    expect([addressInKey('an order 192.0.2.1 80'), addressInKey('7 2001:db8::1 80')]).toEqual([
      '192.0.2.1:80',
      '[2001:db8::1]:80',
    ])
    expect(testWords({ is: 'works', ms: 1234, country: null })).toBe('Works, 1,234 ms')
    expect(testWords({ is: 'works', ms: 12, country: 'JP' })).toBe('Works in Japan, 12 ms')
    expect(testWords({ is: 'wrong-country', ms: 12, country: 'US', ordered: 'JP' })).toBe(
      'In United States, not Japan',
    )
    expect(testWords({ is: 'something-else', status: 502 })).toBe('Unexpected answer (HTTP 502)')
    expect(testWords({ is: 'something-else', status: null })).toBe('Unexpected answer')
    expect(testWords({ is: 'timed-out' })).toBe('No answer in time')
  })

  it('runs out at the latest time that is known, as it came where that cannot be read', () => {
    expect(expiryOf(row(), true)).toBe(moment(END))
    expect(expiryOf(row({ expires: 'soon', ends: null }))).toBe('soon')
    const extended = row({ expires: '2026-11-01 08:00:00', extended: true })
    expect(expiryOf(extended, true)).toBe(moment(END))
  })

  it('is called not listed where its order no longer lists it', () => {
    const unlisted = row({ state: 'unlisted' })
    expect([row(), unlisted].map((one) => stateOf(one).label)).toEqual(['Active', 'Not listed'])
    expect(sheet([unlisted]).rows[0]).toContain('Not listed')
  })

  it('says who a deleted buyer was', () => {
    expect(buyerName({ id: 1, name: 'ali', deleted: true })).toBe('was: ali')
    expect(buyerName(null)).toBe('')
  })

  it('is a row of a file with everything that is shown', () => {
    const { columns, rows } = sheet([row(), row({ buyer: null, sent: null })])
    expect(columns.map(({ label }) => label)).toEqual([
      'Address',
      'Protocol',
      'Country',
      'City',
      'Expires',
      'State',
      'Buyer',
      'Sent',
      'Note',
      'Order number',
    ])
    expect(rows[0]).toHaveLength(columns.length)
    expect(rows[0]?.[7]).toBe(`${moment(END)}, message copied`)
    expect(rows[1]?.slice(6, 8)).toEqual(['', ''])
  })
})
