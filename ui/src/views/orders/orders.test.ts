import { beforeEach, describe, expect, it } from 'vitest'
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { NamedPlaces } from '../../bindings/NamedPlaces'
import type { OrderView } from '../../bindings/OrderView'
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import { kept } from '../../lib/kept.svelte'
import { route } from '../../lib/route.svelte'
import { Program, part, settled } from '../../testing/program'
import { Orders } from './orders.svelte'

let program: Program
beforeEach(() => {
  kept.forget()
  program = new Program()
})

const book = (...numbers: string[]) => numbers.map((orderNo) => part<BookedOrder>({ orderNo, note: '' }))

describe('orders', () => {
  it('are read again when one changed, until the view is left', async () => {
    const orders = new Orders(program.call)
    program.answer('list_orders', book('A'))
    const stop = orders.watch()
    await settled()
    program.answer('list_orders', book('A', 'B'))
    await program.tell('order-changed', 'B')
    expect([orders.all.length, orders.loading]).toEqual([2, false])
    stop()
    await settled()
    expect(program.isHeard('order-changed')).toBe(false)
  })

  it('differ from an order that the vendor reports otherwise, not from one that says less', async () => {
    const orders = new Orders(program.call)
    const known = part<BookedOrder>({ orderNo: 'A', note: '', status: '3', delivered: 3 })
    program.answer('list_orders', [known])
    await orders.load()
    const told = (of: Partial<OrderView>) =>
      part<OrderView>({ orderNo: 'A', status: '3', delivered: 3, ...of })
    const all = [{}, { delivered: 5 }, { status: '20' }, { status: null, delivered: null }, { orderNo: 'B' }]
    expect(all.map((of) => orders.differs(told(of)))).toEqual([false, true, true, false, false])
  })

  it('are found by the places they bought, and hidden ones are counted', async () => {
    const orders = new Orders(program.call)
    const purchase = part<PurchaseConfig>({
      quotaItems: [{ type: 'country_random', countryCode: 'JP', quantity: 2 }],
    })
    program.answer('list_orders', [
      part<BookedOrder>({ orderNo: '1', note: '', status: '20', since: 1, purchase }),
      part<BookedOrder>({ orderNo: '2', note: '', status: '3', since: 2 }),
    ])
    const country = part<NamedPlaces['countries'][number]>({
      countryCode: 'JP',
      nameZh: '日本',
      nameEn: 'Japan',
    })
    program.answer('place_names', { continents: [], countries: [country], cities: [], complete: true })
    await orders.load()
    expect(orders.rows.map((one) => one.orderNo)).toEqual(['2', '1'])
    Object.assign(orders, { search: 'japan', which: 'progress' })
    expect([orders.rows.length, orders.outside]).toEqual([0, 1])
    orders.showAll()
    expect([orders.rows.map((one) => one.orderNo), orders.search]).toEqual([['1'], 'japan'])
    orders.search = 'nowhere'
    orders.showAll()
    expect(orders.rows.length).toBe(2)
    orders.sortBy('number')
    orders.sortBy('number')
    expect(orders.sorted).toEqual({ by: 'number', down: true })
  })

  it('are found by an IP that they hold, as long as it is the one that is typed', async () => {
    const orders = new Orders(program.call)
    program.answer('list_orders', book('A', 'B')).answer('orders_with_ip', ['B'])
    await orders.load()
    orders.search = '１９２.0.2'
    await orders.findByIp()
    expect([program.last('orders_with_ip'), orders.rows.map((one) => one.orderNo)]).toEqual([
      '192.0.2',
      ['B'],
    ])
    orders.search = '192.0.3'
    expect(orders.rows).toEqual([])
  })

  it('are those that the palette found for a text, until another one is typed', async () => {
    const orders = new Orders(program.call)
    program.answer('list_orders', book('A', 'B')).answer('orders_with_ip', [])
    await orders.load()
    orders.which = 'progress'
    orders.searchFor('德国', ['B'])
    await orders.findByIp()
    expect([orders.search, orders.which, orders.rows.map((one) => one.orderNo)]).toEqual([
      '德国',
      'all',
      ['B'],
    ])
    orders.search = '德'
    expect(orders.rows).toEqual([])
  })

  it('keep a note that is typed, also when their details are closed', async () => {
    const orders = new Orders(program.call)
    program.answer('list_orders', book('A', 'B'))
    await orders.load()
    const [first, second] = orders.all as [BookedOrder, BookedOrder]
    orders.noteOf(first).text = 'for Anna'
    expect([orders.noteOf(first).text, orders.noteOf(second).text]).toEqual(['for Anna', ''])
    program.answer('save_order_note', null)
    await orders.noteOf(first).save()
    expect(orders.all.map(({ note }) => note)).toEqual(['for Anna', ''])
    orders.search = 'anna'
    expect(orders.rows.map((one) => one.orderNo)).toEqual(['A'])
  })

  it('are added by number, and what is typed stays when there is none', async () => {
    const orders = new Orders(program.call)
    program.answer('list_orders', book('１'.normalize('NFKC')))
    Object.assign(orders, { adding: true, number: '１' })
    program.refuse('order_detail', 'refused')
    await orders.add()
    expect([orders.added.error?.code, orders.number, orders.adding]).toEqual(['refused', '１', true])
    program.answer('order_detail', part<OrderView>({ orderNo: '1' }))
    await orders.add()
    expect([program.last('order_detail'), route.order, orders.shown?.orderNo, orders.adding]).toEqual([
      '1',
      '1',
      '1',
      false,
    ])
  })

  for (const [what, change] of [
    ['another number was typed', (orders: Orders) => (orders.number = '2')],
    ['another place was opened', () => route.go({ place: 'overview' })],
  ] as const)
    it(`stay as they are when the answer comes after ${what}`, async () => {
      route.begin('orders')
      const orders = new Orders(program.call)
      program.answer('list_orders', book('1'))
      Object.assign(orders, { adding: true, number: '1' })
      const added = orders.add()
      change(orders)
      const typed = orders.number
      await program.held('order_detail')[0]?.answer(part<OrderView>({ orderNo: '1' }))
      await added
      expect([route.order, orders.number, orders.adding, orders.all.length]).toEqual([null, typed, true, 1])
    })
})
