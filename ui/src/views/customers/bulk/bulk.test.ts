import { beforeEach, describe, expect, it } from 'vitest'
import { offered, totals, view } from '../../../testing/bulk'
import { commandError, Program, part, settled } from '../../../testing/program'
import { Bulk } from './bulk.svelte'

let program: Program
beforeEach(() => {
  program = new Program().withoutOperations()
})

let bulk: Bulk
beforeEach(() => {
  bulk = new Bulk(program.call, [], null)
  void bulk.enter()
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
    bulk.rows.meant[2] = '100001'
    bulk.rows.editing = { at: 1, text: 'anna 5 GB', was: 'ann 5 GB' }
    await bulk.rows.rewrite()
    expect(program.asked.find((one) => one.name === 'answer_draft')?.request).toEqual({
      draft: 1,
      answer: { answer: 'text', at: 1, text: 'anna 5 GB', was: 'ann 5 GB' },
    })
    expect([bulk.rows.editing, bulk.rows.meant]).toEqual([null, {}])
    const before = program.count('answer_draft')
    await bulk.rows.rewrite()
    expect(program.count('answer_draft')).toBe(before)
  })

  it('shows what was answered for all rows, until other rows are drafted', async () => {
    const comma = { rows: 1, text: 'ali 1,5g', decimal: '1.5', thousands: '15' }
    program.answer('draft_bulk', { ...totals(0), comma }).answer('offer_bulk', offered('a'))
    await bulk.preview()
    expect([bulk.answers.commaAsked, bulk.answers.given]).toEqual([comma, {}])
    program.refuse('answer_draft', 'internal')
    await bulk.answer({ answer: 'each', gb: '50' })
    expect(bulk.answers.given).toEqual({})
    program.answer('answer_draft', totals(3))
    await bulk.answer({ answer: 'comma', comma: 'decimal' })
    await bulk.answer({ answer: 'unit', unit: 'gb' })
    await bulk.answer({ answer: 'each', gb: '5' })
    expect([bulk.answers.given, bulk.answers.commaAsked]).toEqual([
      { comma: 'decimal', unit: 'gb', each: '5' },
      comma,
    ])
    await bulk.preview()
    expect([bulk.answers.given, bulk.answers.commaAsked?.text]).toEqual([{}, 'ali 1,5g'])
  })

  it('does not start while a row is edited: what is typed is not in the offer', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    bulk.rows.editing = { at: 1, text: 'ali 5g', was: 'ali 50g' }
    await bulk.start()
    expect([program.count('confirm_bulk'), bulk.rows.editing.text, bulk.unsaved]).toEqual([0, 'ali 5g', true])
    bulk.discard()
    expect([bulk.rows.editing, bulk.unsaved]).toEqual([null, false])
  })

  it('does not start while another amount for names alone is typed', async () => {
    program
      .answer('draft_bulk', totals(3))
      .answer('offer_bulk', offered('a'))
      .answer('answer_draft', totals(4))
    await bulk.preview()
    bulk.answers.each = '5'
    expect(bulk.unsaved).toBe(false)
    await bulk.answer({ answer: 'each', gb: '5' })
    bulk.answers.each = '50'
    await bulk.start()
    expect([program.count('confirm_bulk'), bulk.unsaved]).toEqual([0, true])
    bulk.discard()
    expect([bulk.answers.each, bulk.unsaved]).toEqual(['5', false])
  })

  it('takes one answer at a time: a second Enter would be about rows that are not on screen yet', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a')).hold('answer_draft')
    await bulk.preview()
    bulk.rows.editing = { at: 1, text: 'ali 50g', was: 'ali 5g' }
    const enters = [bulk.rows.rewrite(), bulk.rows.rewrite()]
    expect(program.count('answer_draft')).toBe(1)
    await program.held('answer_draft')[0]?.answer(totals(4))
    await Promise.all(enters)
    expect([bulk.totals?.good, bulk.rows.editing, program.count('offer_bulk')]).toEqual([4, null, 2])
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

  it('does not come back when it was paused and another was begun meanwhile', async () => {
    bulk.view = view()
    const paused = bulk.control('pause')
    bulk.leave()
    void bulk.enter()
    await program.held('act_on_bulk')[0]?.answer(view({ state: 'paused' }))
    await paused
    expect(bulk.view).toBe(null)
  })

  it('says that a file is too large, and reads none of it', async () => {
    await bulk.file.choose(part<File>({ size: 17 * 1024 * 1024 }))
    const wrong = { field: 'bulk-file', why: 'too-large' } as const
    expect([bulk.error, program.asked]).toEqual([commandError('invalid', wrong), []])
  })
})
