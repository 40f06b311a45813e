import { beforeEach, describe, expect, it } from 'vitest'
import type { BuyerView } from '../../bindings/BuyerView'
import type { Customer } from '../../bindings/Customer'
import type { GoodsView } from '../../bindings/GoodsView'
import { Program, part } from '../../testing/program'
import { moment } from '../format'
import { OrderBuyers } from './forWhom.svelte'
import { People } from './people.svelte'

let program: Program
let people: People
let order: OrderBuyers
const ali = { id: 1, name: 'ali', deleted: false }
const row = (of: Partial<GoodsView> = {}) =>
  part<GoodsView>({ key: 'k', buyer: null, sent: null, noLongerListed: false, ...of })
beforeEach(() => {
  program = new Program().answer('assign_goods', [])
  people = new People(program.call)
  order = new OrderBuyers(program.call, people, 'SO1')
})
const load = async (...rows: GoodsView[]) => {
  program.answer('goods_of', rows)
  await order.load()
}

describe('for whom an order is', () => {
  it('is nobody at first, and is asked', async () => {
    await load(row(), row())
    expect([order.isNobody, order.words, order.sent]).toEqual([true, 'Not assigned', null])
  })

  it('is one buyer, and sent once all of it was', async () => {
    await load(row({ buyer: ali, sent: { at: 5, how: 'file' } }), row({ buyer: ali }))
    expect([order.isNobody, order.words, order.sent]).toEqual([false, 'ali', null])
    await load(
      row({ buyer: ali, sent: { at: 5, how: 'file' } }),
      row({ buyer: ali, sent: { at: 9, how: 'file' } }),
    )
    expect(order.sent).toBe(moment(9))
  })

  it('is several, each with its number', async () => {
    await load(row({ buyer: ali }), row({ buyer: ali }), row())
    expect([order.isNobody, order.words]).toEqual([false, '2 for ali and 1 not assigned'])
  })

  it('gets what the order still lists, or all of it where it lists nothing', async () => {
    const sent = { at: 5, how: 'file' } as const
    const gone = row({ key: 'gone', noLongerListed: true })
    await load(row({ key: 'a', buyer: ali, sent }), gone)
    expect([order.keys, order.givenKeys, order.sent]).toEqual([['a', 'gone'], ['a'], moment(5)])
    await load(gone)
    expect([order.givenKeys, order.sent]).toEqual([['gone'], null])
  })

  it('gives those that came later to the buyer of the others', async () => {
    await load(
      row({ key: 'a', buyer: ali }),
      row({ key: 'b' }),
      row({ key: 'gone', noLongerListed: true }),
      row({ key: 'c' }),
    )
    expect(order.rest).toEqual({ buyer: ali, keys: ['b', 'c'] })
    await order.assignRest()
    expect(program.last('assign_goods')).toEqual([
      { keys: ['b', 'c'], who: { what: 'buyer', id: 1 }, note: null },
    ])
  })

  it.each([
    ['nobody has one', [row(), row()]],
    ['all have one', [row({ buyer: ali })]],
    ['the others have two', [row({ buyer: ali }), row({ buyer: { ...ali, id: 3 } }), row()]],
    ['the others are no longer listed', [row({ buyer: ali }), row({ noLongerListed: true })]],
    ['the buyer was deleted', [row({ buyer: { ...ali, deleted: true } }), row()]],
  ])('gives no others to anybody where %s', async (_, rows) => {
    await load(...rows)
    expect(order.rest).toBeNull()
    await order.assignRest()
    expect(program.count('assign_goods')).toBe(0)
  })

  it('is several where two buyers have one name', async () => {
    await load(row({ buyer: { ...ali, deleted: true } }), row({ buyer: { ...ali, id: 3 } }))
    expect(order.words).toBe('1 for was: ali and 1 for ali')
  })

  it('is the one that was chosen of a buyer and a customer with one name', async () => {
    program
      .answer('list_buyers', [part<BuyerView>({ id: 1, name: 'bob@x.com', customer: '7', deleted: false })])
      .answer('list_customers', [part<Customer>({ customerId: '8', userName: 'bob@x.com' })])
    await people.load()
    await load(row())
    await order.assign('customer 8')
    expect(program.last('assign_goods')?.[0]?.who).toEqual({ what: 'customer', id: '8', name: 'bob@x.com' })
    await order.assign('buyer 1')
    expect(program.last('assign_goods')?.[0]?.who).toEqual({ what: 'buyer', id: 1 })
  })

  it('is recorded for the whole order', async () => {
    await load(row({ key: 'a' }), row({ key: 'b' }))
    await order.assign('new dora')
    expect(program.last('assign_goods')?.[0]?.keys).toEqual(['a', 'b'])
    await order.assign('')
    expect(program.count('assign_goods')).toBe(1)
    program.refuse('assign_goods', 'journal')
    await order.assign('new dora')
    expect([order.error?.code, order.busy]).toEqual(['journal', false])
  })
})
