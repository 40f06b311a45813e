import { beforeEach, describe, expect, it } from 'vitest'
import type { DraftAnswer } from '../../../bindings/DraftAnswer'
import type { DraftRow } from '../../../bindings/DraftRow'
import { part } from '../../../testing/program'
import type { Act } from './acts'
import { RowEdits } from './rowEdits.svelte'

let answers: DraftAnswer[]
let form: { act: Act; starting: boolean; answer: (answer: DraftAnswer) => Promise<void> }
let rows: RowEdits
beforeEach(() => {
  answers = []
  form = { act: 'recharge', starting: false, answer: async (answer) => void answers.push(answer) }
  rows = new RowEdits(form)
})

const row = (line: number, text: string) => part<DraftRow>({ line, text })

describe('the rows of a draft', () => {
  it('are edited one at a time, and only if they were typed', () => {
    rows.edits(0, row(0, 'selected'))
    expect(rows.editing).toBe(null)
    rows.edits(1, row(1, 'ali 5g'))
    rows.edits(2, row(2, 'bob 5g'))
    expect([rows.editing, rows.rewriting]).toEqual([{ at: 2, text: 'bob 5g', was: 'bob 5g' }, false])
    rows.editing = { at: 2, text: 'bob 50g', was: 'bob 5g' }
    rows.edits(1, row(1, 'ali 5g'))
    expect([rows.editing.text, rows.rewriting]).toEqual(['bob 50g', true])
  })

  it('are not edited while they are sent, nor with their passwords', () => {
    form.starting = true
    rows.edits(1, row(1, 'ali 5g'))
    Object.assign(form, { starting: false, act: 'password' })
    rows.edits(1, row(1, 'ali secret'))
    expect(rows.editing).toBe(null)
  })

  it('mean the customer who stands out, until the person chooses another', async () => {
    await rows.takeMeant(2, part<DraftRow>({ text: 'ann 5 GB', suggested: null }))
    expect(answers).toEqual([])
    const asks = part<DraftRow>({ text: 'ann 5 GB', suggested: '100002' })
    expect(rows.meantBy(2, asks)).toBe('100002')
    rows.meant[2] = '100001'
    await rows.takeMeant(2, asks)
    expect(answers).toEqual([{ answer: 'meant', at: 2, customerId: '100001', was: 'ann 5 GB' }])
  })

  it('keep what was begun in them until rows may stand at other places', () => {
    const editing = { at: 1, text: 'ali 5g', was: 'ali 50g' }
    Object.assign(rows, { editing, meant: { 2: '100001', 3: '100002' } })
    rows.note({ answer: 'unit', unit: 'gb' })
    rows.note({ answer: 'meant', at: 2, customerId: '100001', was: 'ann' })
    expect([rows.editing, rows.meant]).toEqual([editing, { 3: '100002' }])
    rows.note({ answer: 'text', ...editing })
    expect([rows.editing, rows.meant]).toEqual([null, {}])
  })
})
