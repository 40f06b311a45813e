import { beforeEach, describe, expect, it } from 'vitest'
import type { BulkView } from '../../../bindings/BulkView'
import { Program, part, settled } from '../../../testing/program'
import { RowFilters } from './rowFilter.svelte'

describe('the rows of a bulk that are shown', () => {
  let program: Program
  const view = part<BulkView>({ id: 'a', rows: 9, counts: part<BulkView['counts']>({ done: 7 }) })
  beforeEach(() => {
    program = new Program()
  })

  it('are counted by its figures without a search, and by the program with one', async () => {
    const filter = new RowFilters(program.call).of('a')
    await filter.find('a')
    expect(filter.shown(view)).toEqual({ search: '', onlyNotDone: false, count: 9, outside: 0 })
    filter.onlyNotDone = true
    expect(filter.shown(view)).toMatchObject({ count: 2, outside: 7 })
    filter.search = 'ali'
    const asked = filter.find('a')
    await settled()
    expect(filter.shown(view), 'until it is answered').toMatchObject({ search: '', count: 2 })
    expect(program.last('count_bulk_rows')).toEqual({ id: 'a', onlyNotDone: true, search: 'ali' })
    await program.held('count_bulk_rows')[0]?.answer(1)
    await asked
    expect(filter.shown(view)).toEqual({ search: 'ali', onlyNotDone: true, count: 1, outside: 0 })
    filter.search = ' '
    await filter.find('a')
    expect(filter.shown(view)).toMatchObject({ search: '', onlyNotDone: true, count: 2 })
  })

  it('are not called absent while the filter hides them, and an error goes with the search', async () => {
    const filter = new RowFilters(program.call).of('a')
    program.answer('count_bulk_rows', ({ onlyNotDone }) => (onlyNotDone ? 0 : 3))
    filter.search = 'ali'
    filter.onlyNotDone = true
    await filter.find('a')
    expect(filter.shown(view)).toEqual({ search: 'ali', onlyNotDone: true, count: 0, outside: 3 })
    program.refuse('count_bulk_rows', 'journal')
    await filter.find('a')
    expect(filter.error?.code).toBe('journal')
    filter.search = ''
    await filter.find('a')
    expect(filter.error).toBe(null)
  })

  it('stay those of each bulk while another one is shown', () => {
    const filters = new RowFilters(program.call)
    filters.of('a').search = 'ali'
    filters.of('b').onlyNotDone = true
    const kept = (['a', 'b'] as const).map((id) => filters.of(id))
    expect(kept.map(({ search, onlyNotDone }) => [search, onlyNotDone])).toEqual([
      ['ali', false],
      ['', true],
    ])
  })
})
