import { beforeEach, describe, expect, it } from 'vitest'
import type { BulkOffered } from '../../../bindings/BulkOffered'
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftTotals } from '../../../bindings/DraftTotals'
import { Kept } from '../../../lib/kept.svelte'
import { Program, part } from '../../../testing/program'
import { PastedBulk } from './bulk.svelte'

let program: Program
let kept: Kept
beforeEach(() => {
  program = new Program().withoutOperations()
  kept = new Kept()
})

function form() {
  const bulk = kept.of(PastedBulk, program.call)
  void bulk.enter()
  return bulk
}

describe('pasted lines', () => {
  it('are there again with their action when the form is, until another connection opens', () => {
    const bulk = form()
    Object.assign(bulk, { act: 'deduct', text: 'anna 5 GB' })
    bulk.leave()
    expect([form().act, form().text]).toEqual(['deduct', 'anna 5 GB'])
    kept.forget()
    expect([form().act, form().text]).toEqual(['recharge', ''])
  })

  it('go with their form if they hold passwords', () => {
    const bulk = form()
    Object.assign(bulk, { act: 'password', text: 'anna secret' })
    bulk.leave()
    expect([form().act, form().text]).toEqual(['recharge', ''])
  })

  it('with passwords do not become lines of another action', () => {
    const bulk = form()
    Object.assign(bulk, { act: 'password', text: 'anna secret' })
    bulk.act = 'recharge'
    expect([bulk.act, bulk.text]).toEqual(['recharge', ''])
    Object.assign(bulk, { text: 'anna 5 GB', act: 'deduct' })
    expect(bulk.text).toBe('anna 5 GB')
  })

  it('are spent by their bulk', async () => {
    const bulk = form()
    Object.assign(bulk, { act: 'disable', text: 'anna' })
    program
      .answer('draft_bulk', part<DraftTotals>({ kind: 'status', active: false, good: 1, beyondOwn: false }))
      .answer('offer_bulk', part<BulkOffered>({ token: 'a' }))
      .answer('confirm_bulk', part<BulkView>({ id: 'b' }))
    await bulk.preview()
    await bulk.start()
    bulk.leave()
    expect([form().act, form().text]).toEqual(['recharge', ''])
  })

  it('are a new form once their bulk has started while the user was elsewhere', async () => {
    const bulk = form()
    bulk.text = 'anna 5 GB'
    program
      .answer('draft_bulk', part<DraftTotals>({ kind: 'recharge', active: false, good: 1, beyondOwn: false }))
      .answer('offer_bulk', part<BulkOffered>({ token: 'a' }))
    await bulk.preview()
    const started = bulk.start()
    bulk.leave()
    await program.held('confirm_bulk')[0]?.answer(part<BulkView>({ id: 'b' }))
    await started
    expect([form().view, form().totals, form().text, program.count('judge_draft')]).toEqual([
      null,
      null,
      '',
      0,
    ])
  })
})
