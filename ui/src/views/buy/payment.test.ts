import { beforeEach, describe, expect, it } from 'vitest'
import type { Offered } from '../../bindings/Offered'
import type { RefusalView } from '../../bindings/RefusalView'
import { operations } from '../../lib/operations.svelte'
import { APPLIED, operation, REJECTED, UNKNOWN } from '../../testing/operation'
import { Program, part, settled } from '../../testing/program'
import { fill, price } from '../../testing/purchase'
import { Basket } from './basket.svelte'
import { Payment } from './payment.svelte'
import { Pricing } from './price.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

let basket: Basket
let pricing: Pricing
let payment: Payment
beforeEach(async () => {
  program
    .answer('list_operations', [])
    .answer('operations_touched', { position: 0, rows: [], openBulks: [] })
    .answer('gb_factor', 1024)
    .answer('purchase_price', price('8.55'))
    .answer('offer_order', part<Offered>({ token: 'once', quoteId: 'q1', amount: '8.55', currency: 'USD' }))
  operations.forget()
  basket = new Basket(program.call)
  pricing = new Pricing(program.call, basket)
  payment = new Payment(program.call, basket, pricing)
  fill(basket)
  await pricing.ask()
  await payment.open()
})

describe('a payment', () => {
  it('is sent once, however often it is pressed, and cannot be closed meanwhile', async () => {
    const presses = Promise.all([payment.pay(), payment.pay(), payment.pay()])
    payment.close()
    expect([program.count('pay_order'), payment.paying, payment.offer?.token]).toEqual([1, true, 'once'])
    await program.held('pay_order')[0]?.answer(operation({ state: 'verifying' }))
    await presses
    await payment.pay()
    expect([program.count('pay_order'), payment.offer]).toEqual([1, null])
  })

  it('takes what it bought from the basket, and no line that was added since', async () => {
    const paid = payment.pay()
    fill(basket, '2')
    program.answer('list_operations', [operation(APPLIED)])
    await program.held('pay_order')[0]?.answer(operation(APPLIED))
    await paid
    expect([basket.total, payment.bought, pricing.current]).toEqual([2, true, null])
  })

  it('announces its outcome once, and that of another payment again', () => {
    expect(['o1', 'o1', 'o2', 'o2'].map((id) => payment.isNews(id))).toEqual([true, false, true, false])
  })

  it('settles when its answer comes late, once', async () => {
    const paid = payment.pay()
    program.answer('list_operations', [operation(UNKNOWN)])
    await program.held('pay_order')[0]?.answer(operation(UNKNOWN))
    await paid
    expect([basket.total, payment.payable]).toEqual([3, false])
    program.answer('list_operations', [operation({ ...APPLIED, state: 'resolved-applied' })])
    await operations.read()
    payment.settle()
    expect(basket.total).toBe(0)
    fill(basket, '4')
    payment.settle()
    expect(basket.total).toBe(4)
  })

  it('keeps everything when it was refused, and the price it is compared with', async () => {
    const refusal = part<RefusalView>({ code: '60306', message: '' })
    const refused = operation({ ...REJECTED, refusal })
    program.answer('pay_order', refused).answer('list_operations', [refused])
    await payment.pay()
    expect([basket.total, pricing.expired, pricing.current?.amount]).toEqual([3, true, '8.55'])
  })

  it('shows an error, reads what was sent, and loses no line', async () => {
    program.refuse('pay_order', 'no-answer')
    await payment.pay()
    await settled()
    expect([payment.error?.code, basket.total, payment.offer, payment.paying]).toEqual([
      'no-answer',
      3,
      null,
      false,
    ])
    expect(program.count('list_operations')).toBe(1)
  })

  it('opens no dialog after it was closed', async () => {
    payment.close()
    program.hold('offer_order')
    const opened = payment.open()
    payment.close()
    await program.held('offer_order')[0]?.answer(part<Offered>({ token: 'late' }))
    await opened
    expect([payment.offer, payment.error]).toEqual([null, null])
  })

  it('is not offered at a price that has ended', async () => {
    payment.close()
    program.refuse('offer_order', 'price-expired')
    await payment.open()
    expect([payment.offer, pricing.expired, payment.error?.code]).toEqual([null, true, 'price-expired'])
  })
})
