import { beforeEach, describe, expect, it } from 'vitest'
import type { BuyerView } from '../../bindings/BuyerView'
import type { Customer } from '../../bindings/Customer'
import { Program, part } from '../../testing/program'
import { People } from './people.svelte'

let program: Program
let people: People
const buyer = (id: number, name: string, of: Partial<BuyerView> = {}) =>
  part<BuyerView>({ id, name, contact: '', customer: null, deleted: false, ...of })
beforeEach(async () => {
  program = new Program()
    .answer('list_buyers', [buyer(1, 'ali', { customer: '7' }), buyer(2, 'old', { deleted: true })])
    .answer('list_customers', [
      part<Customer>({ customerId: '7', userName: 'ali@x.com' }),
      part<Customer>({ customerId: '8', userName: 'bob@x.com' }),
    ])
  people = new People(program.call)
  await people.load()
})

describe('those that IPs can be for', () => {
  it('are the buyers, then customers who are not buyers yet', () => {
    expect(people.options.map(({ value }) => value)).toEqual(['buyer 1', 'customer 8'])
    expect(people.buyer(2)?.name).toBe('old')
  })

  it('are buyers alone when customers cannot be read', async () => {
    program.refuse('list_customers', 'unreachable')
    const others = new People(program.call)
    await others.load()
    expect([others.options.length, others.error]).toEqual([1, null])
  })

  it('are meant by the value of an option', () => {
    expect(people.who('buyer 1')).toEqual({ what: 'buyer', id: 1 })
    expect(people.who('customer 8')).toEqual({ what: 'customer', id: '8', name: 'bob@x.com' })
    expect(people.who(people.fresh('new name').value)).toEqual({ what: 'new', name: 'new name' })
    expect([people.who(''), people.who('customer 99')]).toEqual([null, null])
  })

  it('are found again once they were recorded', async () => {
    program.answer('assign_goods', [
      buyer(1, 'ali', { customer: '7' }),
      buyer(3, 'Dora'),
      buyer(4, 'bob@x.com', { customer: '8' }),
    ])
    await people.assign([])
    expect(people.meant({ what: 'new', name: ' dora' })?.id).toBe(3)
    expect(people.meant({ what: 'customer', id: '8', name: '' })?.id).toBe(4)
    expect(people.meant({ what: 'buyer', id: 1 })?.id).toBe(1)
    expect([people.changes, people.meant({ what: 'nobody' })]).toEqual([1, undefined])
  })

  it('are told apart where a buyer of one customer has the name of another customer', async () => {
    program.answer('list_buyers', [buyer(1, 'bob@x.com', { customer: '7' })])
    await people.load()
    const same = people.options.filter(({ label }) => label === 'bob@x.com')
    expect(same.map(({ value }) => people.who(value))).toEqual([
      { what: 'buyer', id: 1 },
      { what: 'customer', id: '8', name: 'bob@x.com' },
    ])
    expect(people.meant({ what: 'customer', id: '8', name: 'bob@x.com' })).toBeUndefined()
  })

  it('are read again when one is deleted', async () => {
    program.answer('delete_buyer', null).answer('list_buyers', [])
    expect(await people.remove(1)).toBe(true)
    expect([people.buyers, people.changes]).toEqual([[], 1])
    program.refuse('delete_buyer', 'journal')
    expect(await people.remove(1)).toBe(false)
    expect(people.removal.error?.code).toBe('journal')
  })
})
