import { beforeEach, describe, expect, it } from 'vitest'
import type { Choice } from '../../bindings/Choice'
import type { NamedPlaces } from '../../bindings/NamedPlaces'
import type { Offered } from '../../bindings/Offered'
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import { Names } from '../../lib/names.svelte'
import { Program, part } from '../../testing/program'
import { fill, price } from '../../testing/purchase'
import { Buy } from './buy.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const none = { known: [], unread: [] }
const options = (of: Partial<PurchaseOptions> = {}) =>
  part<PurchaseOptions>({
    exclusivity: none,
    quality: none,
    bandwidth: none,
    connLimit: none,
    duration: none,
    business: none,
    udp: { offered: [], unread: [] },
    ...of,
  })
beforeEach(() => {
  program.answer('list_continents', []).answer('list_countries', []).answer('perf_mark', null)
  program.answer('last_choices', null)
})

describe('buying', () => {
  it('loads once to begin with, and behind what is on screen after that', async () => {
    const buy = new Buy(program.call)
    const first = buy.load()
    expect(buy.loading).toBe(true)
    await program.held('purchase_options')[0]?.answer(options())
    await first
    buy.basket.typed.lineType = 'premium'
    const second = buy.load()
    expect(buy.loading).toBe(false)
    await program.held('purchase_options')[0]?.answer(options())
    await second
    expect(buy.basket.typed.lineType).toBe('premium')
  })

  it('does not ask for what the vendor no longer offers', async () => {
    const buy = new Buy(program.call)
    buy.basket.typed.isUdp = true
    const only = [{ on: false, nameEn: '', nameZh: '' }]
    program.answer('purchase_options', options({ udp: { offered: only, unread: [] } }))
    await buy.load()
    expect(buy.basket.typed.isUdp).toBe(false)
  })

  it('is left with its basket, and without the dialog that pays', async () => {
    const buy = new Buy(program.call)
    fill(buy.basket)
    program.answer('purchase_price', price('1.00')).answer('offer_order', part<Offered>({ token: 'once' }))
    await buy.getPrice()
    await buy.openPayment()
    expect(buy.payment.offer?.token).toBe('once')
    buy.leave()
    expect([buy.payment.offer, buy.basket.total]).toEqual([null, 3])
  })

  it('says what went wrong and can be loaded again', async () => {
    const buy = new Buy(program.call)
    program.refuse('purchase_options', 'unreachable')
    await buy.load()
    expect([buy.error?.code, buy.loading]).toEqual(['unreachable', false])
    program.answer('purchase_options', options())
    await buy.load()
    expect(buy.error).toBeNull()
  })

  it('names the first field on screen that keeps it from having a price', async () => {
    const buy = new Buy(program.call)
    await buy.getPrice()
    expect(buy.lacks).toBe('buy-country')
    fill(buy.basket)
    Object.assign(buy.basket.typed, { businessId: '', days: '' })
    expect(buy.lacks).toBe('buy-business')
    buy.basket.typed.businessId = '1'
    expect(buy.lacks).toBe('buy-days')
    buy.basket.typed.days = '30'
    buy.basket.form.ips = '192.0.2.7'
    expect(buy.lacks).toBe('buy-elsewhere-show')
    await buy.getPrice()
    expect(program.count('purchase_price')).toBe(0)
    buy.basket.leaveOthers()
    expect(buy.lacks).toBeNull()
    buy.basket.strategy = '2'
    expect(buy.lacks).toBe('buy-cidr')
  })

  it('asks no price for less than is on screen', async () => {
    const buy = new Buy(program.call)
    fill(buy.basket)
    buy.basket.places.choice.countryCode = 'IT'
    await buy.getPrice()
    expect([program.count('purchase_price'), buy.basket.form.tried]).toEqual([0, true])
  })

  it('adds what is chosen before it asks, and forgets the outcome of the purchase before', async () => {
    const buy = new Buy(program.call)
    fill(buy.basket)
    buy.basket.removeLine(buy.basket.lines[0]?.key ?? -1)
    buy.basket.places.choice.kind = 'global_random'
    buy.payment.paidId = 'before'
    program.answer('purchase_price', price('1.00'))
    await buy.getPrice()
    expect([buy.price.current?.amount, buy.basket.total, buy.payment.paidId]).toEqual(['1.00', 1, null])
  })

  const earlier = part<PurchaseConfig>({
    sellMode: 1,
    lineType: 'basic',
    businessId: '7',
    isUdp: false,
    connLimit: 10,
    days: 30,
    allocateStrategy: 1,
    purchaseIpCount: 3,
    quotaItems: [{ type: 'global_random', quantity: 3 }],
  })

  it('takes an earlier purchase in place of what is selected, and asks for its price', async () => {
    const buy = new Buy(program.call)
    program.answer('purchase_options', options()).answer('purchase_price', price('1.00'))
    fill(buy.basket)
    expect(buy.basket.begun).toBe(true)
    // The options are not there yet.
    await buy.again(earlier, new Names(program.call))
    expect([buy.basket.total, program.count('purchase_price')]).toEqual([3, 0])
    await buy.load()
    expect([buy.basket.lines.length, buy.basket.typed.businessId, buy.gone, buy.repeated]).toEqual([
      1,
      '7',
      [],
      true,
    ])
    expect(program.last('purchase_price')).toMatchObject({
      config: { days: 30, quotaItems: [{ quantity: 3 }] },
    })
    expect(program.count('offer_order')).toBe(0)
  })

  it('begins with the choices of the last purchase that are still offered, and asks for no price', async () => {
    const choices = (...values: string[]) => ({
      known: values.map((value) => part<Choice>({ value, nameZh: '', nameEn: '', children: [] })),
      unread: [],
    })
    program
      .answer('last_choices', {
        ...earlier,
        lineType: 'premium',
        days: 7,
        quotaItems: [],
        purchaseIpCount: 0,
      })
      .answer(
        'purchase_options',
        options({ quality: choices('basic'), duration: choices('7', '30'), business: choices('7') }),
      )
    const buy = new Buy(program.call)
    await buy.load()
    expect(buy.basket.typed).toMatchObject({ lineType: 'basic', days: '7', businessId: '7', connLimit: '10' })
    expect([buy.basket.lines.length, buy.gone, program.count('purchase_price')]).toEqual([0, [], 0])
    buy.basket.typed.days = '30'
    await buy.load()
    expect([buy.basket.typed.days, program.count('last_choices')]).toEqual(['30', 1])
  })

  it('begins as usual when the last choices cannot be read', async () => {
    program.refuse('last_choices', 'internal').answer('purchase_options', options())
    const buy = new Buy(program.call)
    await buy.load()
    expect([buy.basket.typed.lineType, buy.error]).toEqual(['basic', null])
  })

  it('leaves out a place that is gone, says which, and applies the rest', async () => {
    const japan = part<NamedPlaces['countries'][number]>({
      countryCode: 'JP',
      nameZh: '日本',
      nameEn: 'Japan',
    })
    program
      .answer('purchase_options', options())
      .answer('place_names', { continents: [], countries: [japan], cities: [], complete: true })
    const line = (countryCode: string) => ({ type: 'country_random', countryCode, quantity: 2 }) as const
    const two = { ...earlier, quotaItems: [line('JP'), line('XX')] }
    const buy = new Buy(program.call)
    await buy.load()
    await buy.again(two, new Names(program.call))
    expect([buy.gone, buy.basket.total, program.count('purchase_price')]).toEqual([[{ place: 'XX' }], 2, 0])
    // Without a list of places nothing is known to be gone.
    program.answer('purchase_price', price('1.00'))
    program.answer('place_names', { continents: [], countries: [], cities: [], complete: false })
    await buy.again(two, new Names(program.call))
    expect([buy.gone, buy.basket.total]).toEqual([[], 4])
  })

  it('has no price for an earlier purchase while a choice is no longer offered', async () => {
    const buy = new Buy(program.call)
    const other = { value: '60', nameZh: '', nameEn: '', children: [] }
    const duration = { known: [part<Choice>(other)], unread: [] }
    program.answer('purchase_options', options({ duration }))
    await buy.load()
    await buy.again(earlier, new Names(program.call))
    expect([buy.gone, buy.basket.typed.days, buy.lacks, buy.basket.config]).toEqual([
      ['days'],
      '',
      'buy-days',
      null,
    ])
    expect(program.count('purchase_price')).toBe(0)
  })
})
