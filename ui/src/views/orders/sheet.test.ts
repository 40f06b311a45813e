import { describe, expect, it } from 'vitest'
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { Delivered } from '../../bindings/Delivered'
import type { GoodsView } from '../../bindings/GoodsView'
import { part } from '../../testing/program'
import { goodsColumns, goodsSheet, orderColumns, orderSheet } from './sheet'

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

describe('the table of what an order delivered', () => {
  const one = part<Delivered>({
    host: '192.0.2.1',
    port: 8000,
    protocol: 'socks5',
    about: {
      countryZh: '日本',
      countryEn: 'Japan',
      countryCode: 'JP',
      cityZh: '',
      cityEn: 'Osaka',
      expires: 'soon',
      other: [],
    },
  })

  it('has columns for buyers and other details only where there are any', () => {
    expect(goodsColumns([one], []).map(({ id }) => id)).toEqual([
      'address',
      'protocol',
      'country',
      'city',
      'expires',
    ])
    expect(goodsSheet([one], [], goodsColumns([one], [])).rows).toEqual([
      ['192.0.2.1:8000', 'socks5', 'Japan (JP)', 'Osaka', 'soon'],
    ])
  })

  it('says for whom each IP is', () => {
    const buyer = part<GoodsView['buyer']>({ id: 1, name: 'ali', deleted: false })
    const mark = part<GoodsView>({ host: '192.0.2.1', port: 8000, buyer, sent: null })
    const other = { ...one, host: '192.0.2.2' }
    expect(
      goodsSheet([one, other], [mark], goodsColumns([one, other], [mark])).rows.map((row) => [
        row[1],
        row[6],
      ]),
    ).toEqual([
      ['ali', ''],
      ['', ''],
    ])
  })
})
