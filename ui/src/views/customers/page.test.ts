import { beforeEach, describe, expect, it } from 'vitest'
import type { CustomerPage } from '../../bindings/CustomerPage'
import type { CustomerRow } from '../../bindings/CustomerRow'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import { operation } from '../../testing/operation'
import { Program, part, settled } from '../../testing/program'
import { CustomerDetail } from './page.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const page = part<CustomerPage>({ row: part<CustomerRow>({ userName: 'Anna' }), operations: [] })
const record = (customerId: string, createTime: string) => part<TrafficRecord>({ customerId, createTime })

describe('a customer', () => {
  it('has its own records, which are read once', async () => {
    program.answer('customer_page', page).refuse('usage_state', 'journal')
    program.answer('customer_records', [record('7', '3'), record('7', '1')])
    const detail = new CustomerDetail(program.call, '7')
    await detail.load()
    expect(detail.records.value?.map((one) => one.createTime)).toEqual(['3', '1'])
    expect(program.last('customer_records')).toEqual({ customerId: '7', account: 'Anna' })
    expect([detail.chart, detail.error]).toEqual([null, null])
    await detail.load()
    expect(program.count('customer_records')).toBe(1)
  })

  it('shows the records that were read last where they cannot be read, with their time', async () => {
    const known = { rows: [record('7', '3')], readAt: 5 }
    program.answer('customer_page', page).refuse('usage_state', 'journal')
    program.refuse('customer_records', 'unreachable').answer('known_customer_records', known)
    const detail = new CustomerDetail(program.call, '7')
    await detail.load()
    const { records } = detail
    expect([records.value, records.lastReadAt, records.error?.code]).toEqual([known.rows, 5, 'unreachable'])
    expect(program.last('known_customer_records')).toBe('7')
    // What was read in this run stays, without a look at the last run.
    program.answer('customer_records', [])
    await detail.readRecords()
    program.refuse('customer_records', 'unreachable')
    await detail.readRecords()
    expect([records.value, program.count('known_customer_records')]).toEqual([[], 1])
  })

  it('is offered the other status once one was set from here, and both before', async () => {
    program.answer('customer_page', page)
    const detail = new CustomerDetail(program.call, '7')
    void detail.load()
    await settled()
    expect(detail.statuses).toEqual([true, false])
    for (const active of [false, true]) {
      program.answer('customer_page', { ...page, row: { ...page.row, status: { active, at: 1 } } })
      void detail.load()
      await settled()
      expect(detail.statuses).toEqual([!active])
    }
  })

  it('shows the outcome of no other customer', async () => {
    program.answer('customer_page', { ...page, operations: [operation({ id: 'own' })] })
    const detail = new CustomerDetail(program.call, '7')
    void detail.load()
    await settled()
    expect([detail.operation('own')?.id, detail.operation('other'), detail.operation(null)]).toEqual([
      'own',
      undefined,
      undefined,
    ])
  })

  it('stays on screen when it cannot be read again', async () => {
    program.answer('customer_page', page)
    const detail = new CustomerDetail(program.call, '7')
    void detail.load()
    await settled()
    await program.held('usage_state')[0]?.refuse('journal')
    program.refuse('customer_page', 'journal')
    await detail.load()
    expect([detail.page?.row.userName, detail.error?.code]).toEqual(['Anna', 'journal'])
  })
})
