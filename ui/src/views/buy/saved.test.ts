import { beforeEach, describe, expect, it } from 'vitest'
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import { Program, part } from '../../testing/program'
import { Saved } from './saved.svelte'

const config = part<PurchaseConfig>({ days: 30 })
const japan = { id: 1, name: 'Japan', config }
let program: Program
let saved: Saved
beforeEach(async () => {
  program = new Program().answer('saved_purchases', [japan])
  saved = new Saved(program.call)
  await saved.load()
})

describe('saved configurations', () => {
  it('are saved under the typed name', async () => {
    program.answer('save_purchase', [japan, { id: 2, name: 'Week', config }])
    saved.name = 'Week'
    expect(await saved.save(config)).toBe(true)
    expect(program.last('save_purchase')).toEqual({ name: 'Week', config, replace: false })
    expect([saved.all.length, saved.name]).toEqual([2, ''])
  })

  it('replace another of the same name only when asked once more, and not after another was typed', async () => {
    saved.name = 'japan'
    const first = saved.save(config)
    await program.held('save_purchase')[0]?.refuse('invalid', { field: 'saved-name', why: 'taken' })
    expect([await first, saved.isTaken, saved.nameError !== '', saved.name]).toEqual([
      false,
      true,
      true,
      'japan',
    ])
    saved.type()
    expect([saved.isTaken, saved.nameError]).toEqual([false, ''])
    const second = saved.save(config)
    await program.held('save_purchase')[0]?.refuse('invalid', { field: 'saved-name', why: 'taken' })
    await second
    program.answer('save_purchase', [{ ...japan, name: 'japan' }])
    await saved.save(config)
    expect(program.last('save_purchase')?.replace).toBe(true)
    expect(saved.all.map((one) => one.name)).toEqual(['japan'])
  })

  it('get another name, beginning with their own', async () => {
    program.answer('rename_purchase', [{ ...japan, name: 'Tokyo' }])
    saved.startRenaming(japan)
    expect(saved.name).toBe('Japan')
    saved.name = 'Tokyo'
    expect(await saved.rename()).toBe(true)
    expect(program.last('rename_purchase')).toEqual({ id: 1, name: 'Tokyo' })
    expect([saved.renaming, saved.all[0]?.name]).toEqual([null, 'Tokyo'])
  })

  it('stay when they cannot be deleted, and are gone when they were', async () => {
    program.refuse('delete_purchase', 'not-saved')
    expect(await saved.remove(1)).toBe(false)
    expect([saved.all.length, saved.error?.code]).toEqual([1, 'not-saved'])
    program.answer('delete_purchase', [])
    expect(await saved.remove(1)).toBe(true)
    expect([saved.all.length, saved.error]).toEqual([0, null])
  })
})
