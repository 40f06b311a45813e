import { expect, it } from 'vitest'
import type { Delivered } from '../../bindings/Delivered'
import { placeOf } from './goods'

const about = {
  countryZh: '',
  countryEn: '',
  countryCode: '',
  cityZh: '',
  cityEn: '',
  expires: '',
  other: [],
}
const one = (of: Partial<Delivered['about']>): Delivered => ({
  host: '192.0.2.1',
  port: 1080,
  protocol: '',
  about: { ...about, ...of },
  noLongerListed: false,
})

it('a country is called by its name and its code, as far as they are there', () => {
  expect(placeOf(one({ countryEn: 'Japan', countryCode: 'JP' })).country).toBe('Japan (JP)')
  expect(placeOf(one({ countryCode: 'JP' })).country).toBe('JP')
  expect(placeOf(one({ countryZh: 'JP', countryEn: 'JP', countryCode: 'JP' })).country).toBe('JP')
  expect(placeOf(one({ cityZh: '东京' })).city).toBe('东京')
})
