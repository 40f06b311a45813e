import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../testing/program'
import { type Column, Columns } from './columns.svelte'

const ALL: Column[] = [
  { id: 'name', label: 'Name', always: true },
  { id: 'paid', label: 'Paid' },
  { id: 'note', label: 'Note', off: true },
]
let program: Program
let columns: Columns
beforeEach(() => {
  program = new Program().answer('save_columns', null)
  columns = new Columns(program.call)
})
const shown = () => columns.shown('orders', ALL).map(({ id }) => id)

describe('the columns of a table', () => {
  it('are shown and hidden, and remembered as what was changed', async () => {
    expect(shown()).toEqual(['name', 'paid'])
    for (const { id } of ALL) await columns.turn('orders', ALL.find((one) => one.id === id) as Column)
    expect([shown(), program.last('save_columns')]).toEqual([
      ['name', 'note'],
      { table: 'orders', turned: ['paid', 'note'] },
    ])
    await columns.turn('orders', ALL[1] as Column)
    expect([shown(), columns.isChanged('orders')]).toEqual([['name', 'paid', 'note'], true])
  })

  it('give way while details stand beside the table, if they are minor ones', () => {
    const all: Column[] = [...ALL, { id: 'places', label: 'Places', minor: true }]
    const ids = (narrow: boolean) => columns.shown('orders', all, narrow).map(({ id }) => id)
    expect([ids(false), ids(true)]).toEqual([
      ['name', 'paid', 'places'],
      ['name', 'paid'],
    ])
  })

  it('are as at first after a reset, in this table only', async () => {
    columns.recall({ orders: ['paid'], records: ['by'] })
    expect(shown()).toEqual(['name'])
    await columns.reset('orders')
    expect([shown(), columns.isChanged('orders'), columns.isChanged('records')]).toEqual([
      ['name', 'paid'],
      false,
      true,
    ])
    expect(program.last('save_columns')).toEqual({ table: 'orders', turned: [] })
  })

  it('are never without the one that says what a row is', async () => {
    columns.recall({ orders: ['name'] })
    await columns.turn('orders', ALL[0] as Column)
    expect([shown(), program.count('save_columns')]).toEqual([['name', 'paid'], 0])
  })
})
