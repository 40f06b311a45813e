import { beforeEach, describe, expect, it } from 'vitest'
import { Program, settled } from '../testing/program'
import { Export } from './export.svelte'
import { notices } from './notices.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const table = { kind: 'csv', name: 'a', columns: [], rows: [] } as const
const file = () => ({ ...table, columns: [], rows: [] })

describe('an export', () => {
  it('is busy until the file is written, and says where it is', async () => {
    const written = new Export()
    void written.run((signal) => program.call('export_table', file(), signal))
    expect(written.file.busy).toBe(true)
    await program.held('export_table')[0]?.answer('/home/a.csv')
    await settled()
    expect([written.file.busy, notices.toast.includes('/home/a.csv')]).toEqual([false, true])
  })

  it('can be stopped, which is no error', async () => {
    const written = new Export()
    const run = written.run((signal) => program.call('export_table', file(), signal))
    const [question] = program.held('export_table')
    written.file.stop()
    await run
    expect([question?.stopped, written.file.error]).toEqual([true, null])
  })
})
