import { describe, expect, it } from 'vitest'
import type { DraftRow } from '../../../bindings/DraftRow'
import { part } from '../../../testing/program'
import { draftSheet } from './draftSheet'

const row = (of: Partial<DraftRow>) =>
  part<DraftRow>({ line: 0, name: 'ali', problem: null, basis: null, ...of })

describe('the rows of a draft', () => {
  it('are copied with their amounts and why some are left out', () => {
    const sent = { at: 0, row: row({ line: 3, gb: '1.5', before: '10', after: '1546' }) }
    const unknown = {
      at: 4,
      row: row({ name: 'nobody', problem: 'no-amount', gb: null, before: null, after: null }),
    }
    const { columns, rows } = draftSheet([sent, unknown], 'recharge', true)
    expect(columns.map(({ label, number }) => [label, number])).toEqual([
      ['Line', true],
      ['Customer', false],
      ['GB', true],
      ['Left before, MB', true],
      ['Left after, MB', true],
      ['Status', false],
    ])
    expect(rows).toEqual([
      ['3', 'ali', '1.5', '10', '1546', 'Will be sent'],
      ['5', 'nobody', '', '', '', 'The amount is missing.'],
    ])
  })

  it('have no amounts where nothing is moved', () => {
    const { columns, rows } = draftSheet([{ at: 0, row: row({}) }], 'disable', false)
    expect([columns.length, rows]).toEqual([3, [['1', 'ali', 'Will be sent']]])
  })
})
