import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { fill, price } from '../../testing/purchase'
import { Basket } from './basket.svelte'
import { Pricing } from './price.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

let basket: Basket
let pricing: Pricing
beforeEach(() => {
  basket = new Basket(program.call)
  pricing = new Pricing(program.call, basket)
  fill(basket)
})

describe('the price', () => {
  it('is of the basket as it is: any change drops it at once', async () => {
    program.answer('purchase_price', price('8.55'))
    await pricing.ask()
    expect([pricing.current?.amount, pricing.stands]).toEqual(['8.55', true])
    basket.typed.days = '60'
    expect([pricing.current, pricing.stands]).toEqual([null, false])
  })

  it('is not of a basket that changed while it was asked for', async () => {
    const asked = pricing.ask()
    basket.typed.days = '60'
    await program.held('purchase_price')[0]?.answer(price('8.55'))
    await asked
    expect(pricing.current).toBeNull()
  })

  it('is asked for once, and cannot be bought meanwhile', async () => {
    program.answer('purchase_price', price('8.55'))
    await pricing.ask()
    program.hold('purchase_price')
    const asked = Promise.all([pricing.ask(), pricing.ask()])
    expect([program.count('purchase_price'), pricing.stands]).toEqual([2, false])
    await program.held('purchase_price')[0]?.answer(price('9.00', { quoteVersion: 'v2' }))
    await asked
    expect([pricing.change, program.last('purchase_price')?.lastVersion]).toEqual(['0.45', 'v1'])
  })

  it('says whether it is higher or lower than the last one', async () => {
    const words = []
    for (const amount of ['8.55', '9.00', '8.5', '8.50']) {
      program.answer('purchase_price', price(amount))
      await pricing.ask()
      words.push(pricing.changeWords)
    }
    expect(words).toEqual([
      '',
      '0.45 USD more than the last price',
      '0.50 USD less than the last price',
      'Same as the last price',
    ])
  })

  it('stays when the wait is stopped, and goes when it went wrong', async () => {
    program.answer('purchase_price', price('8.55'))
    await pricing.ask()
    program.hold('purchase_price')
    const stopped = pricing.ask()
    pricing.answer.stop()
    await stopped
    expect([pricing.current?.amount, pricing.answer.error]).toEqual(['8.55', null])
    program.refuse('purchase_price', 'unreachable')
    await pricing.ask()
    expect([pricing.current, pricing.answer.error?.code]).toEqual([null, 'unreachable'])
  })

  it('cannot be bought in its last seconds, and is still shown when it has ended', async () => {
    program.answer('purchase_price', price('8.55'))
    await pricing.ask()
    const begin = pricing.now
    pricing.now = begin + 53_000
    expect(pricing.stands).toBe(true)
    pricing.now = begin + 55_000
    expect([pricing.stands, pricing.expired]).toEqual([false, false])
    pricing.now = begin + 61_000
    expect([pricing.expired, pricing.part, pricing.current?.amount]).toEqual([true, 0, '8.55'])
  })
})
