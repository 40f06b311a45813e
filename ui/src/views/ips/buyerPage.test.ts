import { describe, expect, it } from 'vitest'
import type { CustomerRow } from '../../bindings/CustomerRow'
import { figures } from '../../lib/figures.svelte'
import { Program, part } from '../../testing/program'
import { BuyerDetail } from './buyerPage.svelte'

describe('a buyer’s page', () => {
  it('keeps the deliveries on screen when they cannot be read again', async () => {
    const program = new Program().answer('deliveries_of', [{ at: 1, how: 'copied', addresses: ['a'] }])
    const detail = new BuyerDetail(program.call, 7)
    await detail.load()
    program.refuse('deliveries_of', 'journal')
    await detail.load()
    expect([detail.deliveries.value?.length, detail.deliveries.error?.code]).toEqual([1, 'journal'])
    expect(program.last('deliveries_of')).toBe(7)
  })

  it('has the traffic of the customer that the buyer is, with the time of its read', async () => {
    const readAt = Date.now()
    const row = part<CustomerRow>({ customerId: '12', residualFlow: '2048.5', daysLeft: 9 })
    const program = new Program()
      .answer('read_customers', { count: 1, readAt, seen: 3, tags: [], usageRead: true })
      .answer('customer_page', { row, operations: [], createdHere: false, passwordSetHere: false })
    const detail = new BuyerDetail(program.call, 7)
    await detail.readTraffic('12')
    expect([program.last('read_customers'), program.last('customer_page')]).toEqual([false, '12'])
    expect(detail.customer?.usageRead).toBe(true)
    expect([detail.customer?.row.residualFlow, detail.customer?.readAt, detail.isOld]).toEqual([
      '2048.5',
      readAt,
      false,
    ])
    program.refuse('customer_page', 'invalid')
    await detail.readTraffic('13')
    expect([detail.customer, detail.deliveries.error]).toEqual([null, null])
  })

  it('shows stored traffic at once, and reads it again if it is old', async () => {
    const row = part<CustomerRow>({ customerId: '12', residualFlow: '1' })
    const page = { row, operations: [], createdHere: false, passwordSetHere: false }
    const list = { count: 1, readAt: 5, seen: 3, tags: [], usageRead: true }
    const program = new Program().answer('read_customers', list).answer('customer_page', page)
    const detail = new BuyerDetail(program.call, 7)
    await detail.readTraffic('12')
    expect([program.count('read_customers'), program.last('read_customers')]).toEqual([2, true])
  })

  it('marks traffic that an operation has touched, and reads it again once that has ended', async () => {
    figures.forget()
    const row = part<CustomerRow>({ customerId: '12', residualFlow: '1' })
    const page = { row, operations: [], createdHere: false, passwordSetHere: false }
    const list = { count: 1, readAt: Date.now(), seen: 3, tags: [], usageRead: true }
    const touch = {
      kind: 'recharge',
      state: 'applied',
      wasSent: true,
      target: '12',
      bulk: null,
      at: 5,
    } as const
    const program = new Program().answer('read_customers', list).answer('customer_page', page)
    const hear = async (hasEnded: boolean, target = '12') => {
      program.answer('operations_touched', {
        position: 5,
        rows: [{ ...touch, target, hasEnded }],
        openBulks: [],
      })
      await figures.follow()
    }
    const detail = new BuyerDetail(program.call, 7)
    await detail.readTraffic('12')
    await hear(false)
    expect([detail.isOld, detail.due]).toEqual([true, null])
    await hear(true)
    expect(detail.due).toBe(5)
    figures.forget()
    await hear(true, '13')
    expect(detail.due).toBe(null)
    await hear(true)
    program.answer('read_customers', { ...list, seen: 5 })
    await detail.readAgain()
    expect([program.last('read_customers'), detail.isOld, detail.due]).toEqual([true, false, null])
  })
})
