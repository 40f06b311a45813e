import { describe, expect, it } from 'vitest'
import {
  addressOf,
  clock,
  decimal,
  difference,
  moment,
  money,
  named,
  traffic,
  vendorMidnight,
  vendorMillis,
  vendorMoment,
} from './format'
import { useVendorZone } from './vendorZone.svelte'

describe('amounts', () => {
  it.each([
    ['8.55', 2, '8.55'],
    ['8.5', 2, '8.50'],
    ['1000', 0, '1,000'],
    ['-0.45', 2, '-0.45'],
    ['12345678901234567.891', 0, '12,345,678,901,234,567.891'],
  ])('%s is written exactly', (exact, digits, written) => {
    expect(decimal(exact, digits, 'en')).toBe(written)
  })

  it('carry their currency', () => {
    expect(money('36.3', 'USD', 'en')).toBe('36.30 USD')
  })

  it.each([
    ['8.55', '9', '-0.45'],
    ['9', '8.55', '0.45'],
    ['0.1', '0.3', '-0.2'],
    ['10', '10', '0'],
    ['207.42', '8.55', '198.87'],
  ])('%s - %s is exact', (after, before, expected) => {
    expect(difference(after, before)).toBe(expected)
  })

  it.each([
    ['0', '0.00 GB'],
    ['10.23', '10.23 MB'],
    ['10.24', '0.01 GB'],
    ['558.03', '0.54 GB'],
    ['-512', '-0.50 GB'],
    ['1572.864', '1.54 GB'],
    ['12345678901.24', '12,056,327.05 GB'],
  ])('%s MB of traffic is %s', (mb, written) => {
    expect(traffic(mb, 'en')).toBe(written)
  })
})

describe('times and names', () => {
  it.each([
    [247_000, '4:07'],
    [999, '0:01'],
    [-5, '0:00'],
  ])('%s ms are %s', (millis, written) => {
    expect(clock(millis)).toBe(written)
  })

  it('a missing name is replaced by the other language', () => {
    expect(named({ nameZh: '', nameEn: 'Lisbon' }, 'zh-CN')).toBe('Lisbon')
    expect(named({ nameZh: '里斯本', nameEn: 'Lisbon' }, 'zh-CN')).toBe('里斯本')
  })
})

it.each([
  ['192.0.2.1', 1080, '192.0.2.1:1080'],
  ['2001:db8::1', 1080, '[2001:db8::1]:1080'],
  ['192.0.2.1', 0, '192.0.2.1'],
  ['2001:db8::1', null, '2001:db8::1'],
])('the address of %s with port %s is %s', (host, port, written) => {
  expect(addressOf({ host, port })).toBe(written)
})

describe('times of the vendor', () => {
  it.each([
    ['2026-11-23 04:24:00', 480, '2026-11-22T20:24:00Z'],
    ['2026-11-23T04:24', 0, '2026-11-23T04:24:00Z'],
    [' 2026-01-01 00:00:00.5 ', -300, '2026-01-01T05:00:00Z'],
  ])('%s, %s minutes east, is %s', (text, zone, instant) => {
    expect(vendorMillis(text, zone)).toBe(Date.parse(instant))
  })

  it.each(['', 'soon', '2026-02-30 04:24:00', '2026-11-23', '2026-11-23 25:00:00'])(
    '%s stays as it came',
    (text) => {
      expect(vendorMoment(text)).toBe(text)
    },
  )

  it('say when the days of the vendor begin here, unless they begin at midnight', () => {
    const now = Date.parse('2026-11-23T12:00:00Z')
    const here = -new Date(now).getTimezoneOffset()
    for (const [zone, begins] of [
      [here, null],
      [here + 60, '11:00 PM'],
      [here - 90, '1:30 AM'],
    ] as const) {
      useVendorZone(zone)
      expect(vendorMidnight(now, 'en')?.replace(/\s/, ' ') ?? null).toBe(begins)
    }
    useVendorZone(480)
  })

  it('are shown in the zone of this computer', () => {
    useVendorZone(480)
    const here = moment(Date.parse('2026-11-22T20:24:00Z'))
    expect(vendorMoment('2026-11-23 04:24:00')).toBe(here)
    useVendorZone(0)
    expect(vendorMoment('2026-11-23 04:24:00')).not.toBe(here)
    useVendorZone(480)
  })
})
