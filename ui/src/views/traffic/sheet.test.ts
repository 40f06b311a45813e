import { describe, expect, it } from 'vitest'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import { part } from '../../testing/program'
import { consumptionColumns, consumptionSheet, recordColumns, recordsSheet } from './sheet'

describe('the file of records', () => {
  it('has the columns that are shown, with amounts in MB', () => {
    const record = part<TrafficRecord>({
      account: 'anna',
      typeDesc: '充值',
      flowCount: '-12.5',
      createTime: '',
      customerId: '7',
    })
    const shown = recordColumns(false).filter(({ id }) => ['when', 'account', 'what', 'amount'].includes(id))
    const { name, columns, rows } = recordsSheet('consumed', [record], shown)
    expect([name, columns.map(({ label }) => label)]).toEqual([
      'proxytill-records-consumed',
      ['Time', 'Customer', 'Type', 'Amount, MB'],
    ])
    expect(rows).toEqual([['', 'anna', 'Added', '-12.5']])
  })
})

describe('the file of consumption', () => {
  it('has both ways and their sum, and the sum alone over the own network of the vendor', () => {
    const row = { date: '2026-11-02', upload: '1', download: '2', sum: '3' }
    const general = consumptionSheet(false, [row], consumptionColumns(false))
    expect([general.columns.length, general.rows]).toEqual([4, [['2026-11-02', '1', '2', '3']]])
    const nni = consumptionSheet(
      true,
      [{ ...row, upload: null, download: null, sum: null }],
      consumptionColumns(true),
    )
    expect([nni.columns.length, nni.rows]).toEqual([2, [['2026-11-02', '']]])
    const chosen = consumptionColumns(false).filter(({ id }) => id !== 'upload')
    const some = consumptionSheet(false, [row], chosen)
    expect([some.columns.length, some.rows]).toEqual([3, [['2026-11-02', '2', '3']]])
  })
})
