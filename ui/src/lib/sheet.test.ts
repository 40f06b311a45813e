import { describe, expect, it } from 'vitest'
import { asText } from './sheet'

const sheet = (rows: string[][]) => ({
  name: 'a',
  columns: [
    { label: 'Who', number: false },
    { label: 'MB', number: true },
  ],
  rows,
})

describe('a table as text', () => {
  it('has its heads and rows in their order, with a tab between cells', () => {
    const rows = [
      ['bob', '-1.5'],
      ['ali', '2'],
    ]
    expect(asText(sheet(rows))).toBe('Who\tMB\nbob\t-1.5\nali\t2')
  })

  it('has no cell that would be calculated, and none that becomes two', () => {
    const cells = ['=1', '\t+1', 'a;=1', ', "@x', '＝1', 'a-b', 'a\nb\tc', '-1']
    const written = asText(sheet(cells.map((cell) => [cell, '=1'])))
    const defused = ["'=1", " '+1", "a;'=1", ', "\'@x', "'＝1", 'a-b', 'a b c', "'-1"]
    expect(written.split('\n').slice(1)).toEqual(defused.map((cell) => `${cell}\t'=1`))
  })
})
