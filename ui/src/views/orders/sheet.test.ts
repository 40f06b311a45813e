import { describe, expect, it } from 'vitest'
import type { BookedOrder } from '../../bindings/BookedOrder'
import { part } from '../../testing/program'
import { orderColumns, orderSheet } from './sheet'

describe('the table of orders', () => {
  it('has the shown columns alone, with figures that a spreadsheet can add up', () => {
    const order = part<BookedOrder>({
      orderNo: '7',
      note: 'for Anna',
      since: 0,
      status: '20',
      delivered: 2,
      ordered: 3,
      amount: '8.55',
      currency: 'USD',
    })
    const shown = orderColumns().filter(({ id }) => id !== 'since' && id !== 'status')
    const { columns, rows } = orderSheet([order], () => 'Osaka × 3', shown)
    expect(columns.map(({ label, number }) => [label, number])).toEqual([
      ['Order number', false],
      ['Places', false],
      ['Delivered', true],
      ['Ordered', true],
      ['Paid', true],
      ['Currency', false],
      ['Note', false],
    ])
    expect(rows).toEqual([['7', 'Osaka × 3', '2', '3', '8.55', 'USD', 'for Anna']])
  })
})
