import { beforeEach, describe, expect, it } from 'vitest'
import type { CustomerUse } from '../../bindings/CustomerUse'
import type { DayUse } from '../../bindings/DayUse'
import type { UsageState } from '../../bindings/UsageState'
import { UsageReading } from '../../lib/usageReading.svelte'
import { Program, part, settled } from '../../testing/program'
import { Usage } from './usage.svelte'
import { chartData } from './usageChart'

let program: Program
beforeEach(() => {
  program = new Program()
})

const kept = part<UsageState>({ today: '2026-03-31', oldest: '2025-01-01', through: '2026-03-30', rows: 5 })
const days = (...list: string[]) => list.map((day) => part<DayUse>({ day }))
let usage: Usage
beforeEach(async () => {
  program.answer('list_customers', []).answer('usage_state', kept).answer('usage_by_time', days('a', 'b'))
  usage = new Usage(program.call, new UsageReading(program.call))
})

describe('usage', () => {
  it('shows what is kept at once, newest first, while the vendor is read, which goes on without it', async () => {
    const stop = usage.watch()
    await settled()
    const { work } = usage.reading
    expect([usage.times.map((row) => row.day), work.busy]).toEqual([['b', 'a'], true])
    const asked = program.count('usage_by_time')
    stop()
    await program.tell('usage-progress', { rows: 1, total: 2 })
    expect([work.busy, usage.error, program.count('usage_by_time') - asked]).toEqual([true, null, 0])
  })

  it('draws no day as unused whose use is not read yet', async () => {
    const stop = usage.watch()
    await settled()
    expect(chartData(usage).span).toEqual(['2026-03-02', '2026-03-29'])
    expect(program.last('usage_by_time')).toMatchObject({ from: '2026-03-02', to: '2026-03-29' })
    program.answer('usage_state', { ...kept, oldest: '2026-03-20' })
    await program.tell('usage-progress', { rows: 1, total: 2 })
    expect(chartData(usage).span).toEqual(['2026-03-20', '2026-03-29'])
    program.answer('usage_state', { ...kept, oldest: null, through: null })
    await program.tell('usage-progress', { rows: 2, total: 2 })
    expect([chartData(usage).span, usage.empty, usage.isKnown]).toEqual([null, true, false])
    stop()
  })

  it('joins the read that goes on, and shows its end', async () => {
    usage.watch()()
    await settled()
    const stop = usage.watch()
    await settled()
    expect(program.count('usage_sync')).toBe(1)
    program.answer('usage_state', { ...kept, rows: 9 })
    await program.held('usage_sync')[0]?.answer(part<UsageState>({ ...kept, rows: 9 }))
    expect([usage.rows, usage.reading.work.busy]).toEqual([9, false])
    stop()
  })

  it('is as it was left when it is shown again', async () => {
    const stop = usage.watch()
    await settled()
    Object.assign(usage, { by: 'customer', customer: '7' })
    usage.span.from = '2026-01-01'
    usage.sortBy('name')
    program.answer('usage_by_customer', [])
    await usage.query()
    usage.sortBy('name')
    stop()
    usage.watch()
    await settled()
    const { span, sorted } = usage
    expect([span.from, span.to, usage.customer, sorted]).toEqual([
      '2026-01-01',
      '2026-03-31',
      '7',
      { by: 'name', down: false },
    ])
  })

  it('sorts a column the other way round when it is pressed again', async () => {
    usage.sortBy('name')
    expect(usage.sorted).toEqual({ by: 'name', down: false })
    usage.sortBy('sum')
    usage.sortBy('sum')
    expect(usage.sorted).toEqual({ by: 'sum', down: false })
    // The table shows one amount only.
    usage.direction = 'download'
    expect(usage.sorted).toEqual({ by: 'download', down: false })
  })

  it('has a row for every customer', async () => {
    const many = Array.from({ length: 2000 }, (_, at) =>
      part<CustomerUse>({ customerId: `${at}`, name: '', sum: `${at}` }),
    )
    program.answer('usage_by_customer', many)
    usage.by = 'customer'
    usage.watch()
    await settled()
    expect([usage.sortedRows.length, usage.sortedRows[0]?.key]).toEqual([2000, '1999'])
  })

  it('shows the answer to the newest question', async () => {
    usage.watch()
    await settled()
    program.hold('usage_by_time')
    const first = usage.query()
    usage.span.last(7)
    const second = usage.query()
    await settled()
    const [early, late] = program.held('usage_by_time')
    await late?.answer(days('new'))
    await early?.answer(days('old'))
    await Promise.all([first, second])
    expect([usage.times[0]?.day, usage.shown?.from, usage.querying]).toEqual(['new', '2026-03-25', false])
  })

  it('keeps the rows and says so when the vendor cannot be read', async () => {
    program.refuse('usage_sync', 'unreachable')
    usage.watch()
    await settled()
    expect([usage.error?.code, usage.times.length]).toEqual(['unreachable', 2])
    usage.by = 'week'
    await usage.query()
    expect(usage.error).toBeNull()
  })

  it('counts what lies on other days, else of other customers', async () => {
    program.answer('usage_by_time', ({ from, customerId }) =>
      from === '2025-01-01' && customerId === null ? days('a', 'b', 'c') : [],
    )
    usage.watch()
    await settled()
    usage.customer = '7'
    await usage.query()
    expect([usage.empty, usage.outside]).toEqual([true, 3])
    usage.showAll()
    expect([usage.customer, usage.span.from]).toEqual(['', ''])
  })

  it('shows one customer by day, and who used the traffic of a day, a week or a month', async () => {
    usage.watch()
    await settled()
    Object.assign(usage, { by: 'customer' })
    usage.showOnly('7', 'Anna')
    expect([usage.by, usage.customer, usage.customerName]).toEqual(['day', '7', 'Anna'])
    const ends = { day: '2026-02-02', week: '2026-02-08', month: '2026-02-28' }
    for (const [by, last] of Object.entries(ends)) {
      Object.assign(usage, { by })
      await usage.query()
      usage.showCustomersOf(by === 'month' ? '2026-02-01' : '2026-02-02')
      expect([usage.by, usage.customer, usage.span.to]).toEqual(['customer', '', last])
    }
    // The current month is not over.
    Object.assign(usage, { by: 'month' })
    await usage.query()
    usage.showCustomersOf('2026-03-15')
    expect(usage.span.to).toBe('2026-03-31')
  })

  it('takes rows apart as they come', async () => {
    program.answer('usage_rows', new TextEncoder().encode('d\n7\nAnna\n1\n2').buffer)
    expect(await usage.rowsOf(3)(0, 1)).toEqual([['d', '7', 'Anna', '1', '2']])
  })
})
