import { beforeEach, describe, expect, it } from 'vitest'
import type { SavedFile } from '../bindings/SavedFile'
import { Program, part } from '../testing/program'
import { notices } from './notices.svelte'
import { SavedFiles } from './savedFiles.svelte'

let program: Program
let files: SavedFiles
beforeEach(() => {
  program = new Program()
  files = new SavedFiles(program.call)
})
const file = (number: number, path = `/${number}.csv`) => part<SavedFile>({ number, path })

describe('saved files', () => {
  it('are offered with their confirmation, by number', async () => {
    program.answer('saved_files', [file(8, '/b.csv'), file(7, '/a.csv')]).answer('show_saved', null)
    await files.announce('Saved: /a.csv', '/a.csv')
    expect([notices.toast, notices.file?.number]).toEqual(['Saved: /a.csv', 7])
    await files.fromNotice('show', file(7))
    expect(program.last('show_saved')).toBe(7)
  })

  it('are not offered when another confirmation is shown by then', async () => {
    const saved = files.announce('Saved: /a.csv', '/a.csv')
    notices.notify('Copied')
    await program.held('saved_files')[0]?.answer([file(7, '/a.csv')])
    await saved
    expect([notices.toast, notices.file]).toEqual(['Copied', null])
  })

  it('say when one is gone, and the list is read again', async () => {
    program.answer('saved_files', [file(1)]).refuse('open_saved', 'file-gone')
    await files.open(file(1))
    expect([files.error?.code, program.count('saved_files')]).toEqual(['file-gone', 1])
    await files.fromNotice('open', file(1))
    expect(notices.toast).toContain('no longer there')
  })
})
