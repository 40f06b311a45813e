import { beforeEach, describe, expect, it } from 'vitest'
import { offered, totals, view } from '../../../testing/bulk'
import { Program } from '../../../testing/program'
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

describe('a preview that is left', () => {
  const figures = (draft: number, good: number) => totals(good, { draft, kind: 'deduction' })

  async function left() {
    program.answer('draft_bulk', figures(7, 3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    bulk.onlyProblems = true
    bulk.typed = '15'
    bulk.leave()
    expect([bulk.offered, bulk.left]).toEqual([null, true])
  }

  it('is judged again and offered anew when it is opened again, with its filter', async () => {
    await left()
    program.hold('judge_draft').answer('offer_bulk', offered('b'))
    const entered = bulk.enter()
    await bulk.start()
    expect([program.count('confirm_bulk'), bulk.left]).toEqual([0, true])
    const [asked] = program.held('judge_draft')
    expect(asked?.request).toBe(7)
    await asked?.answer(figures(7, 2))
    await entered
    const { totals: now, offered: again, act, typed, onlyProblems } = bulk
    expect([now?.good, again?.token, act, typed, onlyProblems, bulk.left]).toEqual([
      2,
      'b',
      'deduct',
      '',
      true,
      false,
    ])
  })

  it('gives way to its lines if another draft took its place', async () => {
    await left()
    program.refuse('judge_draft', 'changed')
    await bulk.enter()
    expect([bulk.totals, bulk.left, bulk.text, bulk.error?.code]).toEqual([
      null,
      false,
      'anna 5 GB',
      'changed',
    ])
  })

  it('stays left while the figures cannot be read', async () => {
    await left()
    program.refuse('judge_draft', 'unreachable')
    await bulk.enter()
    expect([bulk.totals?.good, bulk.left, bulk.offered]).toEqual([3, true, null])
    program.answer('judge_draft', figures(7, 3))
    await bulk.enter()
    expect([bulk.left, bulk.offered?.token]).toEqual([false, 'a'])
  })

  it.each(['create', 'password'] as const)(
    'does not stay if it may hold passwords, and neither does its file: %s',
    async (act) => {
      program.answer('draft_bulk', totals(3, { kind: act })).answer('offer_bulk', offered('a'))
      bulk.act = act
      await bulk.file.choose(new File(['anna,secret'], 'new.csv'))
      expect([bulk.totals?.good, bulk.file.canCheck]).toEqual([3, true])
      bulk.leave()
      expect([bulk.totals, bulk.left, bulk.file.canCheck]).toEqual([null, false, false])
    },
  )

  it('does not stay if its rows are done again: they may be done elsewhere meanwhile', async () => {
    program.answer('draft_bulk', totals(3)).answer('offer_bulk', offered('a'))
    await bulk.again(view({ state: 'finished' }))
    bulk.leave()
    expect([bulk.totals, bulk.left]).toEqual([null, false])
  })

  it('takes its file along once it is edited: the action it was chosen for goes as well', async () => {
    program.answer('draft_bulk', figures(7, 3)).answer('offer_bulk', offered('a'))
    Object.assign(bulk, { text: '', act: 'deduct' })
    await bulk.file.choose(new File(['anna,5'], 'list.csv'))
    bulk.edit()
    expect([bulk.act, bulk.file.canCheck]).toEqual(['deduct', true])
    bulk.leave()
    expect([bulk.act, bulk.file.canCheck]).toEqual(['recharge', false])
  })

  it('drops a file with passwords as soon as the action is another', async () => {
    program.answer('draft_bulk', totals(3, { kind: 'password' })).answer('offer_bulk', offered('a'))
    bulk.act = 'password'
    await bulk.file.choose(new File(['anna,secret'], 'new.csv'))
    bulk.edit()
    bulk.act = 'recharge'
    expect(bulk.file.canCheck).toBe(false)
  })

  it('is not there if it was left before it was drafted', async () => {
    const previewed = bulk.preview()
    bulk.leave()
    await program.held('draft_bulk')[0]?.answer(totals(3))
    await previewed
    expect([bulk.totals, bulk.left, program.count('offer_bulk'), bulk.text]).toEqual([
      null,
      false,
      0,
      'anna 5 GB',
    ])
  })

  it('notes an answer that was under way, and keeps a row that was being edited', async () => {
    program.answer('draft_bulk', figures(7, 3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    const answered = bulk.answer({ answer: 'unit', unit: 'mb' })
    bulk.leave()
    await program.held('answer_draft')[0]?.answer(figures(7, 4))
    await answered
    expect([bulk.answers.given, bulk.totals?.good]).toEqual([{ unit: 'mb' }, 3])
    const editing = { at: 1, text: 'ali 5g', was: 'ali 50g' }
    bulk.rows.editing = editing
    program.answer('judge_draft', figures(7, 4))
    await bulk.enter()
    expect([bulk.rows.editing, bulk.unsaved, bulk.totals?.good]).toEqual([editing, true, 4])
  })

  it('does not come back over the lines once they are edited again', async () => {
    await left()
    const entered = bulk.enter()
    bulk.edit()
    bulk.text = 'anna 50 GB'
    await program.held('judge_draft')[0]?.answer(figures(7, 2))
    await entered
    expect([bulk.totals, bulk.act, bulk.text]).toEqual([null, 'deduct', 'anna 50 GB'])
  })

  it('is shown as it is while it is sent, and is judged again if that failed elsewhere', async () => {
    program.answer('draft_bulk', figures(7, 3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    const started = bulk.start()
    bulk.leave()
    void bulk.enter()
    expect([bulk.starting, bulk.left, program.count('judge_draft')]).toEqual([true, false, 0])
    bulk.leave()
    await program.held('confirm_bulk')[0]?.refuse('declined')
    await started
    expect([bulk.left, bulk.offered, program.count('offer_bulk')]).toEqual([true, null, 1])
    program.answer('judge_draft', figures(7, 3))
    await bulk.enter()
    expect([bulk.left, bulk.offered?.token, program.count('judge_draft')]).toEqual([false, 'a', 1])
  })

  it('is not left while another view of it is open', async () => {
    program.answer('draft_bulk', figures(7, 3)).answer('offer_bulk', offered('a'))
    await bulk.preview()
    void bulk.enter()
    bulk.leave()
    expect([bulk.left, bulk.offered?.token]).toEqual([false, 'a'])
  })
})
