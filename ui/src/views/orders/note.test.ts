import { beforeEach, describe, expect, it } from 'vitest'
import { Program, settled } from '../../testing/program'
import { OrderNote } from './note.svelte'

let program: Program
let kept: string[]
let note: OrderNote
beforeEach(() => {
  program = new Program()
  kept = []
  note = new OrderNote(program.call, 'A', 'old', (saved) => kept.push(saved))
})

describe('a note on an order', () => {
  it('is saved once, and what is typed meanwhile after it', async () => {
    await note.save()
    expect(program.count('save_order_note')).toBe(0)
    note.text = 'for Anna '
    void note.save()
    await settled()
    note.text = 'for Anna and Bob'
    void note.save()
    void note.save()
    await settled()
    expect(program.count('save_order_note')).toBe(1)
    await program.held('save_order_note')[0]?.answer(null)
    expect([note.differs, kept]).toEqual([true, ['for Anna']])
    await program.held('save_order_note')[0]?.answer(null)
    await settled()
    expect([note.differs, note.wasSaved, kept.at(-1)]).toEqual([false, true, 'for Anna and Bob'])
    expect(program.count('save_order_note')).toBe(2)
  })

  it('stays as it was typed when it cannot be saved, and is saved again', async () => {
    program.refuse('save_order_note', 'journal')
    note.text = 'for Anna'
    await note.save()
    expect([note.saving.error?.code, note.text, note.differs]).toEqual(['journal', 'for Anna', true])
    program.answer('save_order_note', null)
    await note.save()
    expect([note.saving.error, note.differs, kept]).toEqual([null, false, ['for Anna']])
  })
})
