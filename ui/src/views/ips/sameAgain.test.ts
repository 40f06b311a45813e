import { beforeEach, describe, expect, it } from 'vitest'
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import { t } from '../../lib/i18n.svelte'
import { kept } from '../../lib/kept.svelte'
import { notices } from '../../lib/notices.svelte'
import { route } from '../../lib/route.svelte'
import { Program, part } from '../../testing/program'
import { fill } from '../../testing/purchase'
import { Buy } from '../buy/buy.svelte'
import { forAsMany, orderOf, SameAgain } from './sameAgain.svelte'

let program: Program
let again: SameAgain
beforeEach(() => {
  kept.forget()
  route.begin('ips')
  notices.toast = ''
  program = new Program().answer('list_orders', [part<BookedOrder>({ orderNo: 'A', purchase: null })])
  again = new SameAgain(program.call)
})

describe('buying the same again', () => {
  it('needs the IPs of one order', () => {
    const [one, other, elsewhere] = ['A 192.0.2.1 1080', 'B 192.0.2.2 1080', ' 192.0.2.3 0']
    expect([one, other, elsewhere].map(orderOf)).toEqual(['A', 'B', ''])
    expect(again.whyNot([one, one])).toBe('')
    expect([again.whyNot([one, other]), again.whyNot([elsewhere])].map(Boolean)).toEqual([true, true])
  })

  it('says so when the order was added by number', async () => {
    await again.begin(['A 192.0.2.1 1080'])
    expect([again.asked, notices.toast]).toEqual([null, t('order.again-unknown')])
  })

  it('is for as many IPs as are selected where the order has one line, and for all of it otherwise', () => {
    const quota = { type: 'country_random', quantity: 10, countryCode: 'JP' } as const
    const country = part<PurchaseConfig>({ purchaseIpCount: 10, quotaItems: [quota] })
    expect(forAsMany(country, 3)).toEqual({ purchaseIpCount: 3, quotaItems: [{ ...quota, quantity: 3 }] })
    const segment = { cidr: '203.0.113.0/24', purchaseIpCount: 10 }
    expect(forAsMany(part<PurchaseConfig>({ purchaseIpCount: 10, segmentItems: [segment] }), 3)).toEqual({
      purchaseIpCount: 3,
      segmentItems: [{ ...segment, purchaseIpCount: 3 }],
    })
    const two = part<PurchaseConfig>({ purchaseIpCount: 20, quotaItems: [quota, quota] })
    const ips = part<PurchaseConfig>({ purchaseIpCount: 1, specificIpItems: [] })
    expect([forAsMany(two, 3), forAsMany(ips, 3)]).toEqual([two, ips])
    expect(forAsMany(country, 11)).toEqual(country)
  })

  /** An order of two lines, which is bought as a whole. */
  function bought(): PurchaseConfig {
    const quota = { type: 'country_random', quantity: 10, countryCode: 'JP' } as const
    const purchase = part<PurchaseConfig>({ purchaseIpCount: 20, quotaItems: [quota, quota] })
    program.answer('list_orders', [part<BookedOrder>({ orderNo: 'A', purchase })])
    return purchase
  }

  it('says so when more is put into Buy than was selected', async () => {
    bought()
    await again.begin(['A 192.0.2.1 1080'])
    expect([route.place, notices.toast]).toEqual(['buy', t('order.again-whole', { count: 20 })])
  })

  it('says nothing of it while it asks whether to replace what is there, nor if that is declined', async () => {
    const purchase = bought()
    const { basket } = kept.of(Buy, program.call)
    fill(basket)
    await again.begin(['A 192.0.2.1 1080'])
    expect([again.asked, notices.toast]).toEqual([purchase, ''])
    again.cancel()
    expect(notices.toast).toBe('')
    await again.begin(['A 192.0.2.1 1080'])
    again.replace()
    expect(notices.toast).toBe(t('order.again-whole', { count: 20 }))
  })
})
