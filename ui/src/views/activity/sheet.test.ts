import { describe, expect, it } from 'vitest'
import type { BulkView } from '../../bindings/BulkView'
import { operation } from '../../testing/operation'
import { part } from '../../testing/program'
import { activityColumns, activitySheet } from './sheet'

describe('the table of Activity', () => {
  it('has operations and bulks as rows, with the shown columns alone', () => {
    const bulk = part<BulkView>({
      kind: 'recharge',
      state: 'finished',
      rows: 4,
      created: 0,
      counts: part<BulkView['counts']>({ done: 3 }),
    })
    const entries = [
      { operation: operation({ state: 'applied' }), bulk: null, found: 0 },
      { operation: null, bulk, found: 2 },
    ]
    const shown = activityColumns().filter(({ id }) => id === 'order' || id === 'amount')
    const { columns, rows } = activitySheet(entries, shown, true)
    expect(columns.map(({ label }) => label)).toEqual(['Order number', 'Amount'])
    expect(rows).toEqual([
      ['', '8.55 USD'],
      ['2 rows found', '3 done'],
    ])
  })
})
