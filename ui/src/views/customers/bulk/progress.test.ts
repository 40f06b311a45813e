import { beforeEach, describe, expect, it } from 'vitest'
import type { BulkRowView } from '../../../bindings/BulkRowView'
import type { BulkView } from '../../../bindings/BulkView'
import { operation } from '../../../testing/operation'
import { Program, part } from '../../../testing/program'
import { rowColumns } from './columns'
import { BulkProgress, OpenBulks } from './progress.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('the progress of a bulk', () => {
  it('shows the row that was opened last', async () => {
    const progress = new BulkProgress(program.call)
    const shown = Promise.all([progress.show('a'), progress.show('b')])
    const [early, late] = program.held('operations_of')
    await late?.answer([operation({ id: 'b' })])
    await early?.answer([operation({ id: 'a' })])
    await shown
    expect(progress.opened?.id).toBe('b')
    progress.close()
    expect(progress.opened).toBe(null)
  })

  it('keeps the row open when the file could not be written', async () => {
    const progress = new BulkProgress(program.call)
    program.answer('operations_of', [operation({ id: 'a' })]).refuse('export_bulk', 'not-saved')
    await progress.show('a')
    await progress.save({ id: 'b', kind: 'csv', columns: [], states: {}, reasons: {}, credentials: false })
    expect([progress.opened?.id, progress.error?.code]).toEqual(['a', 'not-saved'])
  })

  it('copies the rows that are shown in the words of the table', async () => {
    const progress = new BulkProgress(program.call)
    const row = (number: number, name: string, state: BulkRowView['state']) =>
      part<BulkRowView>({ number, name, gb: '1.5', state, reason: null })
    program
      .answer('bulk_rows', [row(1, 'ali', 'applied'), row(2, '=bob', 'waiting')])
      .answer('copy_text', null)
    const view = part<BulkView>({ id: 'a', kind: 'recharge', rows: 2 })
    const shown = rowColumns()
    await progress.copy(view, { search: 'ali', onlyNotDone: true, count: 1, outside: 0 }, [])
    expect(program.last('bulk_rows')).toMatchObject({ onlyNotDone: true, search: 'ali' })
    await progress.copy(view, { search: '', onlyNotDone: false, count: 2, outside: 0 }, shown)
    expect(program.last('bulk_rows')).toMatchObject({ id: 'a', first: 0, count: 2, onlyNotDone: false })
    const lines = program.last('copy_text')?.split('\n') ?? []
    expect(lines.map((line) => line.split('\t').slice(0, 3).join(' '))).toEqual([
      'Row Customer GB',
      '1 ali 1.5',
      "2 '=bob 1.5",
    ])
  })

  it('counts no bulk that is over, and none that cannot be read', async () => {
    const open = new OpenBulks(program.call)
    const bulk = (id: string, state: BulkView['state']) => part<BulkView>({ id, state })
    program.answer('list_bulks', [bulk('a', 'finished'), bulk('b', 'paused')])
    await open.read()
    expect(open.all.map((one) => one.id)).toEqual(['b'])
    program.refuse('list_bulks', 'journal')
    await open.read()
    expect(open.all).toEqual([])
  })
})
