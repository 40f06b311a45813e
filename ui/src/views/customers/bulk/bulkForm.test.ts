import { beforeEach, describe, expect, it } from 'vitest'
import type { BulkOffered } from '../../../bindings/BulkOffered'
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftTotals } from '../../../bindings/DraftTotals'
import { Kept } from '../../../lib/kept.svelte'
import { Program, part, settled } from '../../../testing/program'
import type { Act } from './acts'
import { Bulk } from './bulk.svelte'
import { BulkForm } from './bulkForm.svelte'
import { Pasted } from './pasted.svelte'

let program: Program
let kept: Kept
beforeEach(() => {
  program = new Program().withoutOperations()
  kept = new Kept()
  const drafted = ({ kind }: { kind: DraftTotals['kind'] }) =>
    part<DraftTotals>({ kind, active: false, good: 1, beyondOwn: false })
  program
    .answer('draft_bulk', drafted)
    .answer('offer_bulk', part<BulkOffered>({ token: 'first' }))
    .answer('confirm_bulk', part<BulkView>({ id: 'b' }))
})

const enter = (ids: string[] = [], until = false) =>
  kept.of(BulkForm, program.call).enter(ids, until, kept.of(Pasted, program.call))

async function previewed(act: Act, ids: string[] = []) {
  const form = enter(ids)
  Object.assign(form, { act, text: 'anna 5 GB', gb: '5' })
  await form.preview()
  return form
}

describe('the form of a bulk', () => {
  it('is there again with its preview and a new offer, but without what was typed to confirm it', async () => {
    for (const ids of [[], ['7', '8']]) {
      const form = await previewed('recharge', ids)
      form.typed = '1'
      form.leave()
      program.answer('offer_bulk', part<BulkOffered>({ token: 'second' }))
      const again = enter(ids)
      expect(again.offered).toBeNull()
      await settled()
      expect([again.totals?.good, again.offered?.token, again.typed]).toEqual([1, 'second', ''])
    }
  })

  it('is a new one for other customers, for a day, after its start and after another account was opened', async () => {
    const form = await previewed('recharge', ['7'])
    expect(enter(['7']), 'the same').toBe(form)
    expect(enter(['7'], true).until.on).toBe(true)
    expect(enter(['7']).totals).toBeNull()
    const started = await previewed('recharge', ['8'])
    await started.start()
    expect(started.view?.id).toBe('b')
    expect(enter(['8']).view).toBeNull()
    const replaced = await previewed('recharge', ['9'])
    const done = new Bulk(program.call, [], 'b', undefined, () => kept.of(BulkForm, program.call).drop())
    await done.again(part<BulkView>({ id: 'b', kind: 'recharge' }))
    expect(enter(['9']), 'the program holds the other draft').not.toBe(replaced)
    const pasted = await previewed('recharge')
    kept.forget()
    expect(enter()).not.toBe(pasted)
  })

  it('goes without its preview if it holds passwords', async () => {
    const form = await previewed('password')
    form.leave()
    await settled()
    expect([enter().totals, enter().text]).toEqual([null, ''])
  })

  it('shows the lines again if the program no longer has its rows', async () => {
    const form = await previewed('recharge')
    form.leave()
    program.refuse('offer_bulk', 'changed')
    enter()
    await settled()
    expect([form.totals, form.text, form.error]).toEqual([null, 'anna 5 GB', null])
  })
})
