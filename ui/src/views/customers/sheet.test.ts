import { describe, expect, it } from 'vitest'
import type { CustomerRow } from '../../bindings/CustomerRow'
import { part } from '../../testing/program'
import { customersSheet } from './sheet'

describe('the file of customers', () => {
  it('has everything that is known of each, and nothing where nothing is', () => {
    const known = part<CustomerRow>({
      userName: 'Anna',
      customerId: '7',
      trafficCount: '1024',
      residualFlow: '512.5',
      daysLeft: 3,
      lastUse: '2026-11-02',
      status: { active: false, at: 1 },
      tags: ['vip', 'late'],
      note: 'pays monthly',
    })
    const empty = { trafficCount: null, residualFlow: null, daysLeft: null, lastUse: null, status: null }
    const { columns, rows } = customersSheet([known, { ...known, ...empty, tags: [], note: '' }])
    expect(columns.filter(({ number }) => number).map(({ label }) => label)).toEqual([
      'Total added, MB',
      'Left, MB',
      'Days left',
    ])
    expect(rows).toEqual([
      ['Anna', '7', '1024', '512.5', '3', '2026-11-02', 'Disabled', 'vip, late', 'pays monthly'],
      ['Anna', '7', '', '', '', '', '', '', ''],
    ])
    expect(rows.every((row) => row.length === columns.length)).toBe(true)
  })
})
