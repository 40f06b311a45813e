import { beforeEach, describe, expect, it } from 'vitest'
import { Program, settled } from '../testing/program'
import { Export } from './export.svelte'
import { notices } from './notices.svelte'
import type { Sheet } from './sheet'

let program: Program
beforeEach(() => {
  program = new Program()
})

const table = { kind: 'csv', name: 'a', columns: [], rows: [] } as const
const file = () => ({ ...table, columns: [], rows: [] })

describe('an export', () => {
  it('is busy until the file is written, and says where it is', async () => {
    const written = new Export(program.call)
    void written.run((signal) => program.call('export_table', file(), signal))
    expect(written.file.busy).toBe(true)
    await program.held('export_table')[0]?.answer('/home/a.csv')
    await settled()
    expect([written.file.busy, notices.toast.includes('/home/a.csv')]).toEqual([false, true])
  })

  it('can be stopped, which is no error', async () => {
    const written = new Export(program.call)
    const run = written.run((signal) => program.call('export_table', file(), signal))
    const [question] = program.held('export_table')
    written.file.stop()
    await run
    expect([question?.stopped, written.file.error]).toEqual([true, null])
  })

  it('that is stopped while its table is made writes and copies nothing', async () => {
    const written = new Export(program.call)
    for (const begin of [
      (table: () => Promise<Sheet>) => written.save('csv', table),
      written.copy.bind(written),
    ]) {
      let made = (_: Sheet) => {}
      const run = begin(() => new Promise((done) => (made = done)))
      written.file.stop()
      made(file())
      await run
    }
    expect([program.count('export_table'), program.count('copy_text'), written.file.error]).toEqual([
      0,
      0,
      null,
    ])
  })

  it('and the clipboard hold the same table', async () => {
    const written = new Export(program.call)
    const sheet = { name: 'a', columns: [{ label: 'Who', number: false }], rows: [['=b'], ['a']] }
    program.answer('export_table', '/a.csv').answer('copy_text', null)
    await written.save('csv', () => sheet)
    expect(program.last('export_table')).toEqual({ kind: 'csv', ...sheet })
    await written.copy(async () => sheet)
    expect([program.last('copy_text'), written.file.error]).toEqual(["Who\n'=b\na", null])
  })
})
