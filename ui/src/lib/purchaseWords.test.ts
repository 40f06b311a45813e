import { describe, expect, it } from 'vitest'
import { labelled, udpWord, unlimited, valueWord } from './purchaseWords'

describe('a value of a purchase', () => {
  it('has our word if the interface explains it', () => {
    expect([valueWord('sell-modes', '1'), valueWord('line-types', 'premium')]).toEqual([
      'Exclusive',
      'Premium',
    ])
    expect([unlimited('0'), udpWord(true), valueWord('proxy-types', 'SOCKS5')]).toEqual([
      'Unlimited',
      'On',
      'SOCKS5',
    ])
  })

  it('has none otherwise', () => {
    expect([
      valueWord('sell-modes', '3'),
      valueWord('line-types', 'a.b'),
      valueWord('line-types', ''),
    ]).toEqual(['', '', ''])
    expect([unlimited('10'), unlimited('')]).toEqual(['', ''])
  })

  it('is called by our word, with the vendor’s beside it where it differs', () => {
    expect(labelled('Exclusive', '独享')).toEqual({ label: 'Exclusive', hint: '独享' })
    expect(labelled('Exclusive', 'exclusive')).toEqual({ label: 'Exclusive', hint: '' })
    expect(labelled('', '铂金', 'platinum')).toEqual({ label: '铂金', hint: '' })
    expect(labelled('', '', 'platinum')).toEqual({ label: 'platinum', hint: '' })
  })
})
