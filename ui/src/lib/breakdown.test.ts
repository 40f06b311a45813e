import { describe, expect, it } from 'vitest'
import type { FactWord } from '../bindings/FactWord'
import type { Part } from '../bindings/Part'
import { asReceipt, unitOf } from './breakdown'

const part = (of: Partial<Part>): Part => ({
  key: '',
  word: null,
  nameZh: '',
  nameEn: '',
  quantity: null,
  amount: null,
  facts: [],
  parts: [],
  ...of,
})
const priced = (unit: string, quantity: string | null, amount: string | null) =>
  part({ quantity, amount, facts: [{ word: 'unit-price', key: 'unitPrice', value: unit }] })

describe('the parts of a price', () => {
  it('stand in the order of a receipt, whatever the order of the vendor', () => {
    const words: (FactWord | null)[] = ['payable', 'discount', null, 'original']
    const sorted = asReceipt(words.map((word) => part({ word })))
    expect(sorted.map(({ word }) => word)).toEqual(['original', 'discount', null, 'payable'])
  })

  it('end with what is to be paid, where the sums stand above the discounts', () => {
    const facts = (['original', 'payable'] as const).map((word) => ({ word, key: word, value: '9' }))
    const [sums, paid] = asReceipt([part({ facts, parts: [part({ word: 'discount' })] })])
    expect([sums?.facts, sums?.parts.length, paid?.facts]).toEqual([[facts[0]], 1, [facts[1]]])
    // Without discounts below, they stay together.
    expect(asReceipt([part({ facts })])).toEqual([part({ facts })])
  })

  it.each([
    ['0.10', '3', '9.00', 30, 'ip-day'],
    ['0.10', '3', '0.3', 30, 'ip'],
    ['3', '3', '9.00', 30, 'ip'],
    // Rounded, discounted or of another shape: nothing is claimed.
    ['0.10', '3', '8.99', 30, null],
    ['0.10', '3', '-9', 30, null],
    ['0.10', '3', '9.00', null, null],
    ['about 0.1', '3', '9.00', 30, null],
    ['0.10', null, '9.00', 30, null],
    ['0.10', '3', null, 30, null],
    // For one day, or for nothing, both come out.
    ['0', '3', '0', 30, null],
    ['3', '3', '9', 1, null],
  ])(
    'a unit price of %s for %s IPs, together %s for %s days, is per %s',
    (unit, quantity, amount, days, of) => {
      expect(unitOf(priced(unit, quantity, amount), days)).toBe(of)
    },
  )
})
