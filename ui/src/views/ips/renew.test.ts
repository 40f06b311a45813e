import { beforeEach, describe, expect, it } from 'vitest'
import type { RenewalPriced } from '../../bindings/RenewalPriced'
import { operations } from '../../lib/operations.svelte'
import { APPLIED, operation } from '../../testing/operation'
import { Program, part } from '../../testing/program'
import { Renew } from './renew.svelte'

const priced = (number: number, amount: string) =>
  part<RenewalPriced>({ number, amount, currency: 'USD', ips: [], leftOut: [], periodDays: 30 })

let program: Program
let renew: Renew
beforeEach(async () => {
  program = new Program()
    .withoutOperations()
    .answer('renewal_price', priced(1, '9'))
    .answer('offer_renewal', { token: 'once', amount: '9', currency: 'USD' })
  operations.forget()
  renew = new Renew(program.call, ['A 192.0.2.1 1080'])
  await renew.ask()
})

describe('a renewal', () => {
  it('asks for the price of the chosen period, and drops the one before at once', async () => {
    expect(program.last('renewal_price')).toEqual({ keys: ['A 192.0.2.1 1080'], periodDays: 30 })
    program.answer('renewal_price', priced(2, '26'))
    const asked = renew.choose('90')
    expect(renew.price).toBe(null)
    await asked
    expect([program.last('renewal_price')?.periodDays, renew.price?.amount]).toEqual([90, '26'])
  })

  it('offers the price that is shown and pays it once, however often it is pressed', async () => {
    await renew.next()
    expect([program.last('offer_renewal'), renew.offer?.token]).toEqual([1, 'once'])
    const presses = Promise.all([renew.pay(), renew.pay()])
    renew.back()
    expect([program.count('pay_renewal'), renew.paying, renew.offer?.token]).toEqual([1, true, 'once'])
    const done = operation({ ...APPLIED, kind: 'renew' })
    program.answer('list_operations', [done])
    await program.held('pay_renewal')[0]?.answer(done)
    await presses
    expect([renew.operation?.id, renew.error]).toEqual(['one', null])
  })

  it('drops an offer that comes after another period was chosen', async () => {
    program.hold('offer_renewal')
    const offered = renew.next()
    await renew.choose('365')
    await program.held('offer_renewal')[0]?.answer({ token: 'late', amount: '9', currency: 'USD' })
    await offered
    expect([renew.offer, renew.price?.number]).toEqual([null, 1])
  })

  it('shows its outcome even if the operations cannot be read, and offers nothing more', async () => {
    await renew.next()
    program
      .answer('pay_renewal', operation({ ...APPLIED, kind: 'renew' }))
      .refuse('list_operations', 'journal')
    await renew.pay()
    expect([renew.operation?.state, renew.offer]).toEqual(['applied', null])
  })

  it('shows the new price when it changed, says so, and has to be confirmed anew', async () => {
    await renew.next()
    program.refuse('pay_renewal', 'price-changed').answer('renewal_price', priced(2, '10'))
    await renew.pay()
    expect([renew.error?.code, renew.offer, renew.price?.amount]).toEqual(['price-changed', null, '10'])
    await renew.next()
    expect([program.last('offer_renewal'), renew.error]).toEqual([2, null])
  })

  it('can be confirmed again after an error that sent nothing, and is not offered without a price', async () => {
    await renew.next()
    program.refuse('pay_renewal', 'no-answer')
    await renew.pay()
    expect([renew.error?.code, renew.offer, renew.price?.number]).toEqual(['no-answer', null, 1])
    program.refuse('renewal_price', 'unreachable')
    await renew.ask()
    await renew.next()
    expect([renew.price, program.count('offer_renewal')]).toEqual([null, 1])
  })
})
