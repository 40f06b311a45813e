import { beforeEach, describe, expect, it } from 'vitest'
import type { BuyerView } from '../../bindings/BuyerView'
import type { Customer } from '../../bindings/Customer'
import { People } from '../../lib/goods/people.svelte'
import { Program, part } from '../../testing/program'
import { BuyerForm } from './buyerForm.svelte'

let program: Program
let people: People
beforeEach(async () => {
  program = new Program()
    .answer('list_buyers', [])
    .answer('list_customers', [part<Customer>({ customerId: '8', userName: 'bob@x.com' })])
    .answer('save_buyer', 3)
  people = new People(program.call)
  await people.load()
})

describe('a buyer as typed', () => {
  it('is called as the customer who is chosen, and stays a free name without one', async () => {
    const form = new BuyerForm(program.call, people, null)
    form.choose('customer 8')
    expect(await form.save()).toBe(3)
    expect(program.last('save_buyer')).toMatchObject({
      id: null,
      name: 'bob@x.com',
      customer: '8',
      language: 'en',
    })
    form.choose('')
    expect([form.customer, form.name]).toEqual([null, 'bob@x.com'])
  })

  it('is changed with everything that it had', async () => {
    const buyer = part<BuyerView>({
      id: 3,
      name: 'a',
      contact: 'c',
      language: 'zh-CN',
      note: 'n',
      customer: '8',
    })
    const form = new BuyerForm(program.call, people, buyer)
    form.name = 'b'
    await form.save()
    expect(program.last('save_buyer')).toEqual({
      id: 3,
      name: 'b',
      contact: 'c',
      language: 'zh-CN',
      note: 'n',
      customer: '8',
    })
  })

  it('stays as typed when it is not saved', async () => {
    const form = new BuyerForm(program.call, people, null)
    program.hold('save_buyer')
    const saving = form.save()
    await program.held('save_buyer')[0]?.refuse('invalid', { field: 'buyer-name', why: 'taken' })
    expect([await saving, form.error?.code, form.busy]).toEqual([null, 'invalid', false])
  })
})
