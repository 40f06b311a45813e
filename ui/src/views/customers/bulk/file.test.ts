import { beforeEach, describe, expect, it } from 'vitest'
import type { BulkSource } from '../../../bindings/BulkSource'
import type { CommandError } from '../../../bindings/CommandError'
import { commandError, part } from '../../../testing/program'
import { ListFile } from './file.svelte'

let read: BulkSource[]
let refused: CommandError[]
let error: CommandError | null
let file: ListFile
beforeEach(() => {
  read = []
  refused = []
  error = null
  file = new ListFile({
    read: async (source) => {
      read.push(source)
      return error
    },
    refuse: (why) => refused.push(why),
  })
})
const dropped = { number: 3, name: 'list.csv', problem: null }
const from = () => read.map((one) => one.from)

describe('a file with rows', () => {
  it('is read at once, and once more for another action', async () => {
    const bytes = new TextEncoder().encode('100001 2g').buffer as ArrayBuffer
    await file.choose(part<File>({ name: 'a.txt', size: 9, arrayBuffer: async () => bytes }))
    await file.check()
    expect(read).toEqual(Array(2).fill({ from: 'file', base64: btoa('100001 2g'), text: true }))
    expect([file.name, file.canCheck]).toEqual(['a.txt', true])
    file.remove()
    await file.check()
    expect([read.length, file.canCheck]).toEqual([2, false])
  })

  it('is forgotten when it is no list, but not when the customers could not be read', async () => {
    error = commandError('invalid', { field: 'bulk-file', why: 'not-text' })
    await file.drop(dropped, false)
    expect(file.name).toBe('')
    error = commandError('internal')
    await file.drop(dropped, false)
    expect([file.name, file.canCheck]).toEqual(['list.csv', true])
  })

  it('that cannot be read replaces nothing, and says why', async () => {
    const problem = commandError('invalid', { field: 'bulk-file', why: 'empty' })
    await file.drop({ number: 4, name: 'x.csv', problem }, true)
    expect([read, refused, file.dropped]).toEqual([[], [problem], null])
    await file.choose(part<File>({ size: 17 * 1024 * 1024 }))
    expect([read, refused[1]?.code]).toEqual([[], 'invalid'])
  })

  it('that the program no longer holds is forgotten', async () => {
    await file.drop(dropped, false)
    error = commandError('changed')
    await file.check()
    expect([read, file.canCheck]).toEqual([Array(2).fill({ from: 'dropped', number: 3 }), false])
  })

  it('is not taken if its form was left while it was read', async () => {
    const chosen = file.choose(new File(['anna 5 GB'], 'a.txt'))
    file.remove()
    await chosen
    expect([file.name, read]).toEqual(['', []])
  })

  it('replaces an open preview only after a yes', async () => {
    await file.drop(dropped, true)
    expect([file.dropped, read]).toEqual([dropped, []])
    await file.answer(false)
    expect([file.dropped, read]).toEqual([null, []])
    await file.drop(dropped, true)
    await file.answer(true)
    expect([file.dropped, from(), file.name]).toEqual([null, ['dropped'], 'list.csv'])
  })

  it('is not read again in place of one that was dropped later', async () => {
    await file.drop(dropped, false)
    await file.drop({ number: 4, name: 'other.csv', problem: null }, true)
    await file.answer(false)
    expect([file.name, file.canCheck, read.length]).toEqual(['list.csv', false, 1])
  })
})
