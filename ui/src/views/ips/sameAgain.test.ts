import { beforeEach, describe, expect, it } from 'vitest'
import type { BookedOrder } from '../../bindings/BookedOrder'
import { t } from '../../lib/i18n.svelte'
import { notices } from '../../lib/notices.svelte'
import { Program, part } from '../../testing/program'
import { orderOf, SameAgain } from './sameAgain.svelte'

let program: Program
let again: SameAgain
beforeEach(() => {
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
})
