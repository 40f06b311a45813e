import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import type { CustomerRow } from '../../bindings/CustomerRow'
import { Program, part } from '../../testing/program'
import { Note } from './note.svelte'

it('is what is typed, also after the page that made it is gone', async () => {
  const program = new Program().answer('save_note', null)
  const row = part<CustomerRow>({ customerId: '7', note: '', tags: [] })
  const made: Note[] = []
  const leave = $effect.root(() => {
    $effect(() => {
      const note = new Note(program.call, row)
      made.push(note)
      void [note.isTyped, note.differs(row)]
    })
  })
  flushSync()
  const [note] = made
  if (!note) throw new Error('no note')
  note.typedTags = 'a'
  leave()
  expect([note.isTyped, note.differs(row)]).toEqual([true, true])
  note.typedTags = 'a, b'
  await note.save(row)
  expect(program.last('save_note')?.note.tags).toEqual(['a', 'b'])
  expect(note.isTyped).toBe(false)
})
