import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../testing/program'
import { Closing } from './closing.svelte'
import { KEYS } from './keys'

let program: Program
let closing: Closing
const sending = { bulks: 1, rows: 200, waiting: 163, awaited: 2, files: 0 }
const nothing = { bulks: 0, rows: 0, waiting: 0, awaited: 0, files: 0 }
beforeEach(async () => {
  program = new Program()
  closing = new Closing(program.call)
  await closing.follow()
})

describe('the question whether to close', () => {
  it('opens with the numbers and is answered with one of two buttons', async () => {
    program.answer('work_under_way', sending).answer('close_anyway', null)
    expect(closing.work).toBeNull()
    await program.tell('close-asked')
    expect([closing.work, closing.isOver]).toEqual([sending, false])
    closing.keep()
    expect([closing.work, program.count('close_anyway')]).toEqual([null, 0])
    await program.tell('close-asked')
    await closing.close()
    expect(program.count('close_anyway')).toBe(1)
  })

  it('is one question, however often the window is to close, and says when the work is over', async () => {
    program.answer('work_under_way', sending)
    await program.tell('close-asked')
    program.answer('work_under_way', { ...sending, waiting: 9 })
    await program.tell('close-asked')
    expect([closing.work?.waiting, closing.isOver]).toEqual([9, false])
    program.answer('work_under_way', nothing)
    await closing.ask()
    expect([closing.work, closing.isOver]).toEqual([nothing, true])
  })

  it('does not come back after the answer', async () => {
    await program.tell('close-asked')
    const late = program.held('work_under_way')[0]
    closing.keep()
    await late?.answer(sending)
    expect(closing.work).toBeNull()
  })

  it('is asked by the key too', () => {
    program.answer('close_window', null)
    KEYS.find((key) => key.id === 'quit')?.run()
    expect(program.count('close_window')).toBe(1)
  })
})
