import { beforeEach, describe, expect, it } from 'vitest'
import type { CustomerUse } from '../../bindings/CustomerUse'
import type { UsageState } from '../../bindings/UsageState'
import { UsageReading } from '../../lib/usageReading.svelte'
import { Program, part, settled } from '../../testing/program'
import { Usage } from './usage.svelte'
import { UsageExport } from './usageExport.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const { signal } = new AbortController()
const shown = async () => {
  program
    .answer('list_customers', [])
    .answer(
      'usage_state',
      part<UsageState>({ today: '2026-03-31', oldest: '2025-01-01', through: '2026-03-31' }),
    )
    .answer('usage_by_time', [
      { day: '2026-03-01', upload: '10', download: '2', sum: '12' },
      { day: '2026-03-02', upload: '9', download: '4', sum: '13' },
    ])
    .answer('usage_select', { number: 4, count: 1 })
  const usage = new Usage(program.call, new UsageReading(program.call))
  usage.watch()
  await settled()
  return usage
}

describe('the export of usage', () => {
  it('holds exactly what the table shows, in its order', async () => {
    const usage = await shown()
    const file = new UsageExport(program.call, usage)
    const keys = () => file.sheet().rows.map((row) => row[0])
    expect(keys()).toEqual(['2026-03-02', '2026-03-01'])
    usage.sortBy('upload')
    expect([keys(), usage.sortedRows.map((row) => row.key)]).toEqual(
      Array(2).fill(['2026-03-01', '2026-03-02']),
    )
    usage.direction = 'upload'
    const { name, columns, rows } = file.sheet()
    expect([name, columns.length, rows[0]]).toEqual([
      'proxytill-usage-day-2026-03-02-2026-03-31',
      2,
      ['2026-03-01', '10'],
    ])
  })

  it('names customers and has their numbers', async () => {
    const usage = await shown()
    program.answer('usage_by_customer', [
      part<CustomerUse>({ customerId: '7', name: 'Anna', upload: '1', download: '9', sum: '10' }),
      part<CustomerUse>({ customerId: '8', name: '', upload: '2', download: '0', sum: '2' }),
    ])
    usage.by = 'customer'
    await usage.query()
    usage.sortBy('upload')
    const { rows } = new UsageExport(program.call, usage).sheet()
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['', '8'],
      ['Anna', '7'],
    ])
  })

  it('is copied whole, in parts, with the columns of the file', async () => {
    const usage = await shown()
    const count = 2_500
    const encoder = new TextEncoder()
    program.answer('usage_select', { number: 4, count })
    program.answer('usage_rows', ({ first, count: most }) => {
      const rows = Array.from({ length: Math.min(most, 500, count - first) }, (_, at) =>
        first + at === 3 ? '\n\n\n\n\n' : `2026-03-01\n${first + at}\nAnna\n1.5\n2\n`,
      )
      return encoder.encode(rows.join('')).buffer as ArrayBuffer
    })
    usage.by = 'row'
    await usage.query()
    const file = new UsageExport(program.call, usage)
    const { columns, rows } = await file.report(signal)
    expect([file.isTooLong, columns.length, rows.length, program.count('usage_rows')]).toEqual([
      false,
      5,
      count,
      5,
    ])
    expect(rows.at(-1)).toEqual(['2026-03-01', 'Anna', '2499', '1.5', '2'])
    // One was read again since: it is said, and shifts no column.
    expect(rows[3]).toEqual(['Refreshed in the meantime', '', '', '', ''])
    program.answer('usage_select', { number: 5, count: 10_001 })
    await usage.query()
    expect(file.isTooLong).toBe(true)
  })

  it('tells how far every row is, and no longer than it takes', async () => {
    const usage = await shown()
    usage.by = 'row'
    await usage.query()
    const file = new UsageExport(program.call, usage)
    const saved = file.save('csv', signal)
    await settled()
    await program.tell('export-progress', { rows: 1, total: 2 })
    expect(file.progress).toEqual({ rows: 1, total: 2 })
    await program.held('export_usage')[0]?.answer('/rows.csv')
    expect([await saved, file.progress]).toEqual(['/rows.csv', null])
  })
})
