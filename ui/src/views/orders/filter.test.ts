import { describe, expect, it } from 'vitest'
import type { BookedOrder } from '../../bindings/BookedOrder'
import { part } from '../../testing/program'
import { isFound, isShown, type Sorted, sortOrders } from './filter'

const order = (orderNo: string, of: Partial<BookedOrder> = {}) =>
  part<BookedOrder>({
    orderNo,
    note: '',
    since: Number(orderNo),
    amount: null,
    delivered: null,
    status: null,
    ...of,
  })

describe('orders', () => {
  it('are found by number, place or note, in any spelling of letters and digits', () => {
    const cases = [
      ['', true],
      [' 205 ', true],
      ['２０５', true],
      ['osaKA', true],
      ['206', false],
      ['for ANNA', true],
    ] as const
    for (const [text, found] of cases)
      expect(isFound(order('2059', { note: 'for Anna' }), 'Osaka, Japan × 3', text)).toBe(found)
  })

  it('are shown by how far they are', () => {
    const cases = [
      ['2', 'progress'],
      ['3', 'progress'],
      ['20', 'completed'],
      ['4', 'other'],
      [null, 'other'],
    ] as const
    for (const [status, shown] of cases)
      expect(
        (['all', 'progress', 'completed', 'other'] as const).filter((one) =>
          isShown(order('1', { status }), one),
        ),
      ).toEqual(['all', shown])
  })

  it('are sorted by a column either way, and what lacks the value is last', () => {
    const all = [
      order('9', { amount: '10.5', delivered: 1 }),
      order('10', { amount: '9' }),
      order('8', { delivered: 1 }),
      order('11', { amount: '100', delivered: 3 }),
    ]
    const cases: [Sorted, string][] = [
      [{ by: 'since', down: true }, '11 10 9 8'],
      [{ by: 'since', down: false }, '8 9 10 11'],
      [{ by: 'number', down: false }, '8 9 10 11'],
      [{ by: 'paid', down: true }, '11 9 10 8'],
      [{ by: 'paid', down: false }, '10 9 11 8'],
      [{ by: 'delivered', down: true }, '11 9 8 10'],
      [{ by: 'delivered', down: false }, '9 8 11 10'],
    ]
    for (const [sorted, numbers] of cases)
      expect(
        sortOrders(all, sorted)
          .map((one) => one.orderNo)
          .join(' '),
      ).toBe(numbers)
  })
})
