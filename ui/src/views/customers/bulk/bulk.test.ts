import { beforeEach, describe, expect, it } from 'vitest'
import type { BulkOffered } from '../../../bindings/BulkOffered'
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftRow } from '../../../bindings/DraftRow'
import type { DraftTotals } from '../../../bindings/DraftTotals'
import { commandError, Program, part, settled } from '../../../testing/program'
import { Bulk } from './bulk.svelte'

let program: Program
beforeEach(() => {
  program = new Program().withoutOperations()
})

const totals = (good: number, of: Partial<DraftTotals> = {}) =>
  part<DraftTotals>({ kind: 'recharge', active: false, rows: 5, good, beyondOwn: false, ...of })
const view = (of: Partial<BulkView> = {}) =>
  part<BulkView>({ id: 'b', kind: 'recharge', state: 'running', ...of })
const offered = (token: string) => part<BulkOffered>({ token, typed: true })
let bulk: Bulk
beforeEach(() => {
  bulk = new Bulk(program.call, [], null)
  bulk.text = 'anna 5 GB'
})

describe('a bulk', () => {
  it('shows the rows of the newest draft', async () => {
    program.answer('offer_bulk', offered('a'))
    const first = bulk.preview()
    bulk.act = 'deduct'
    const second = bulk.preview()
    const held = program.held('draft_bulk')
    await held.find((one) => one.request.kind === 'deduction')?.answer(totals(2, { kind: 'deduction' }))
    await Promise.all([first, second])
    expect([bulk.totals?.good, bulk.act, bulk.version, bulk.error]).toEqual([2, 'deduct', 1, null])
  })

  it('offers nothing where there is nothing to send, nor more than is owned', async () => {
    program.answer('draft_bulk', totals(0))
    await bulk.preview()
    program.answer('draft_bulk', totals(3, { beyondOwn: true }))
    await bulk.preview()
    expect([program.count('offer_bulk'), bulk.offered]).toEqual([0, null])
  })

  it('takes back what was offered as soon as another answer is given', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    expect(bulk.offered?.token).toBe('a')
    void bulk.answer({ answer: 'all-suggestions' })
    expect(bulk.offered).toBeNull()
  })

  it('is offered again after an answer that was refused, because the draft is as it was', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    program.answer('offer_bulk', offered('b'))
    const answered = bulk.answer({ answer: 'each', gb: '1,5' })
    const wrong = { field: 'amount-gb', why: 'ambiguous' } as const
    await program.held('answer_draft')[0]?.refuse('invalid', wrong)
    await answered
    const { offered: again, error, totals: left } = bulk
    expect([again?.token, error, left?.good]).toEqual(['b', commandError('invalid', wrong), 3])
  })

  it('forgets what was begun in rows when their places may be others', async () => {
    program
      .answer('draft_bulk', totals(3))
      .answer('offer_bulk', offered('a'))
      .answer('answer_draft', totals(4))
    await bulk.preview()
    bulk.meant[2] = '100001'
    bulk.editing = { at: 1, text: 'anna 5 GB', was: 'ann 5 GB' }
    await bulk.rewrite()
    expect(program.asked.find((one) => one.name === 'answer_draft')?.request).toEqual({
      answer: 'text',
      at: 1,
      text: 'anna 5 GB',
      was: 'ann 5 GB',
    })
    expect([bulk.editing, bulk.meant]).toEqual([null, {}])
    const before = program.count('answer_draft')
    await bulk.takeMeant(2, part<DraftRow>({ text: 'ann 5 GB', suggested: null }))
    await bulk.rewrite()
    expect(program.count('answer_draft')).toBe(before)
    // The customer who stands out is chosen already, until the person chooses another.
    const asks = part<DraftRow>({ text: 'ann 5 GB', suggested: '100002' })
    expect(bulk.meantBy(2, asks)).toBe('100002')
    await bulk.takeMeant(2, asks)
    expect(program.asked.at(-2)?.request).toMatchObject({ answer: 'meant', at: 2, customerId: '100002' })
  })

  it('shows what was answered for all rows, until other rows are drafted', async () => {
    const comma = { rows: 1, text: 'ali 1,5g', decimal: '1.5', thousands: '15' }
    program.answer('draft_bulk', { ...totals(0), comma }).answer('offer_bulk', offered('a'))
    await bulk.preview()
    expect([bulk.commaAsked, bulk.given]).toEqual([comma, {}])
    program.refuse('answer_draft', 'internal')
    await bulk.answer({ answer: 'each', gb: '50' })
    expect(bulk.given).toEqual({})
    program.answer('answer_draft', totals(3))
    await bulk.answer({ answer: 'comma', comma: 'decimal' })
    await bulk.answer({ answer: 'unit', unit: 'gb' })
    await bulk.answer({ answer: 'each', gb: '5' })
    expect([bulk.given, bulk.commaAsked]).toEqual([{ comma: 'decimal', unit: 'gb', each: '5' }, comma])
    await bulk.preview()
    expect([bulk.given, bulk.commaAsked?.text]).toEqual([{}, 'ali 1,5g'])
  })

  it('edits one row at a time, and only one that was typed', async () => {
    const row = (line: number, text: string) => part<DraftRow>({ line, text })
    bulk.edits(0, row(0, 'selected'))
    expect(bulk.editing).toBe(null)
    bulk.edits(1, row(1, 'ali 5g'))
    bulk.edits(2, row(2, 'bob 5g'))
    expect([bulk.editing, bulk.rewriting]).toEqual([{ at: 2, text: 'bob 5g', was: 'bob 5g' }, false])
    bulk.editing = { at: 2, text: 'bob 50g', was: 'bob 5g' }
    bulk.edits(1, row(1, 'ali 5g'))
    expect([bulk.editing.text, bulk.rewriting]).toEqual(['bob 50g', true])
    bulk.discard()
    bulk.act = 'password'
    bulk.edits(1, row(1, 'ali secret'))
    expect(bulk.editing).toBe(null)
  })

  it('does not start while a row is edited: what is typed is not in the offer', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    bulk.editing = { at: 1, text: 'ali 5g', was: 'ali 50g' }
    await bulk.start()
    expect([program.count('confirm_bulk'), bulk.editing.text, bulk.unsaved]).toEqual([0, 'ali 5g', true])
    bulk.discard()
    expect([bulk.editing, bulk.unsaved]).toEqual([null, false])
  })

  it('does not start while another amount for names alone is typed', async () => {
    program
      .answer('draft_bulk', totals(3))
      .answer('offer_bulk', offered('a'))
      .answer('answer_draft', totals(4))
    await bulk.preview()
    bulk.each = '5'
    expect(bulk.unsaved).toBe(false)
    await bulk.answer({ answer: 'each', gb: '5' })
    bulk.each = '50'
    await bulk.start()
    expect([program.count('confirm_bulk'), bulk.unsaved]).toEqual([0, true])
    bulk.discard()
    expect([bulk.each, bulk.unsaved]).toEqual(['5', false])
  })

  it('takes one answer at a time: a second Enter would be about rows that are not on screen yet', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a')).hold('answer_draft')
    await bulk.preview()
    bulk.editing = { at: 1, text: 'ali 50g', was: 'ali 5g' }
    const enters = [bulk.rewrite(), bulk.rewrite()]
    expect(program.count('answer_draft')).toBe(1)
    await program.held('answer_draft')[0]?.answer(totals(4))
    await Promise.all(enters)
    expect([bulk.totals?.good, bulk.editing, program.count('offer_bulk')]).toEqual([4, null, 2])
  })

  it('is started once, and what was pasted leaves the page', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    const presses = Promise.all([bulk.start(), bulk.start()])
    expect([program.count('confirm_bulk'), bulk.starting]).toEqual([1, true])
    await program.held('confirm_bulk')[0]?.answer(view())
    await presses
    expect([bulk.view?.id, bulk.text, bulk.starting]).toEqual(['b', '', false])
  })

  it('is offered again when it could not be started; nothing that was typed is lost', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    bulk.typed = '15'
    program.refuse('confirm_bulk', 'stale-confirmation').answer('offer_bulk', offered('b'))
    await bulk.start()
    expect([bulk.error?.code, bulk.offered?.token, bulk.typed, bulk.text]).toEqual([
      'stale-confirmation',
      'b',
      '15',
      'anna 5 GB',
    ])
  })

  it('is not shown as it was before it was paused', async () => {
    bulk.view = view()
    bulk.open('b')
    program.answer('act_on_bulk', view({ state: 'paused' }))
    await bulk.control('pause')
    await program.held('list_bulks')[0]?.answer([view()])
    await settled()
    expect(bulk.view.state).toBe('paused')
  })

  it('says that a file is too large, and reads none of it', async () => {
    await bulk.file.choose(part<File>({ size: 17 * 1024 * 1024 }))
    const wrong = { field: 'bulk-file', why: 'too-large' } as const
    expect([bulk.error, program.asked]).toEqual([commandError('invalid', wrong), []])
  })
})
