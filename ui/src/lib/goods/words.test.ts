import { describe, expect, it } from 'vitest'
import { END, goods } from '../../testing/goods'
import { addressOf, moment } from '../format'
import {
  addressInKey,
  buyerName,
  countryOf,
  elsewhereHint,
  expiryOf,
  placeOf,
  stateOf,
  testWords,
  unlistedWhy,
} from './words'

describe('an IP in words', () => {
  it('has its address, and its place with the code of the country', () => {
    expect([addressOf(goods()), countryOf(goods())]).toEqual(['192.0.2.1:1080', 'Japan (JP)'])
    expect(addressOf(goods({ host: '2001:db8::1' }))).toBe('[2001:db8::1]:1080')
    const bare = { countryZh: '', countryEn: '', countryCode: 'JP', cityZh: '', cityEn: '' }
    expect([countryOf(goods({ place: bare })), placeOf(goods({ place: bare }))]).toEqual(['JP', 'JP'])
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
    expect(testWords({ is: 'something-else', status: 502 })).toBe('Unexpected response (HTTP 502)')
    expect(testWords({ is: 'something-else', status: null })).toBe('Unexpected response')
    expect(testWords({ is: 'timed-out' })).toBe('No response in time')
  })

  it('runs out at the latest time that is known, as it came where that cannot be read', () => {
    expect(expiryOf(goods(), true)).toBe(moment(END))
    expect(expiryOf(goods({ expires: 'soon', ends: null }))).toBe('soon')
    const extended = goods({ expires: '2026-11-01 08:00:00', extended: true })
    expect(expiryOf(extended, true)).toBe(moment(END))
  })

  it('is called not listed where its order no longer lists it', () => {
    const unlisted = goods({ state: 'unlisted' })
    expect([goods(), unlisted].map((one) => stateOf(one).label)).toEqual(['Active', 'Not listed'])
    const gone = goods({ state: 'unlisted', elsewhere: true, noLongerListed: true })
    const why = [goods(), unlisted, gone].map((one) => unlistedWhy(one).split('.')[0])
    expect(why).toEqual([
      '',
      "The vendor's last response for this order no longer lists this IP",
      "The vendor's list no longer shows this IP",
    ])
    expect([goods({ elsewhere: true }), gone].map(elsewhereHint)).toEqual([
      "None of the orders in this program delivered this IP. It is in the vendor's own list.",
      "None of the orders in this program delivered this IP. The vendor's own list used to show it.",
    ])
  })

  it('says who a deleted buyer was', () => {
    expect(buyerName({ id: 1, name: 'ali', deleted: true })).toBe('was: ali')
    expect(buyerName(null)).toBe('')
  })
})
