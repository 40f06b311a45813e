import { beforeEach, describe, expect, it } from 'vitest'
import type { DayUse } from '../../bindings/DayUse'
import type { UsageState } from '../../bindings/UsageState'
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
    .answer('usage_state', part<UsageState>({ today: '2026-03-31', oldest: '2025-01-01' }))
    .answer('usage_by_time', [part<DayUse>({ day: '2026-03-01', upload: '1', download: '2', sum: '3' })])
    .answer('usage_select', { number: 4, count: 1 })
  const usage = new Usage(program.call)
  usage.watch()
  await settled()
  return usage
}

describe('the export of usage', () => {
  it('holds exactly what the table shows', async () => {
    const usage = await shown()
    usage.direction = 'upload'
    program.answer('export_table', '/a.csv')
    expect(await new UsageExport(program.call, usage).save('csv', signal)).toBe('/a.csv')
    const table = program.last('export_table')
    expect([table?.rows, table?.columns.length]).toEqual([[['2026-03-01', '1']], 2])
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
