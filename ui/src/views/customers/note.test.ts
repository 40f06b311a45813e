import { beforeEach, describe, expect, it } from 'vitest'
import type { CustomerRow } from '../../bindings/CustomerRow'
import { Program, part } from '../../testing/program'
import { Note } from './note.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const row = part<CustomerRow>({ customerId: '7', note: 'a', tags: ['x'] })

describe('a note', () => {
  it('differs by its words and its tags, each tag once', async () => {
    const note = new Note(program.call, row)
    expect(note.differs(row)).toBe(false)
    note.typedTags = 'x，y、 x'
    expect(note.differs(row)).toBe(true)
    program.answer('save_note', null)
    expect(await note.save(row)).toBe(true)
    expect(program.last('save_note')?.note.tags).toEqual(['x', 'y'])
  })

  it('keeps what is typed when it cannot be saved', async () => {
    const note = new Note(program.call, row)
    note.text = 'b'
    program.refuse('save_note', 'journal')
    expect([await note.save(row), note.text, note.saving.error?.code]).toEqual([false, 'b', 'journal'])
  })
})
