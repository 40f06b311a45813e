import { beforeEach, describe, expect, it } from 'vitest'
import type { Boot } from '../../bindings/Boot'
import type { Limits } from '../../bindings/Limits'
import type { Settings } from '../../bindings/Settings'
import { session } from '../../lib/session.svelte'
import { Program, part } from '../../testing/program'
import { LimitsForm } from './limits.svelte'

let program: Program
const limits = { pay: '100', operation: null, day: null }
beforeEach(() => {
  program = new Program().answer('save_settings', (asked) => asked)
  session.boot = part<Boot>({ settings: part<Settings>({ language: 'en', theme: 'system', limits }) })
})

describe('limits', () => {
  it('are saved as typed, an empty one as none, and then nothing is left to save', async () => {
    const form = new LimitsForm()
    expect([form.typed.pay, form.isChanged]).toEqual(['100', false])
    form.typed = { pay: ' ', operation: ' 50.5 ', day: '' }
    expect([form.isChanged, await form.save()]).toEqual([true, true])
    expect(program.last('save_settings')?.limits).toEqual({ pay: null, operation: '50.5', day: null })
    expect(form.isChanged).toBe(false)
  })

  it('in GB may be typed as an amount to add is: with a unit and full-width digits', async () => {
    const form = new LimitsForm()
    form.typed = { pay: '１00', operation: '５0.5 GB', day: '7g' }
    expect(await form.save()).toBe(true)
    expect(program.last('save_settings')?.limits).toEqual({ pay: '100', operation: '50.5', day: '7' })
    form.typed = { pay: '100 gb', operation: 'GB', day: 'g' }
    expect(['pay', 'operation', 'day'].filter((name) => form.wrong(name as keyof Limits) === '')).toEqual([])
  })

  it('that are no amounts are named and not sent', async () => {
    const form = new LimitsForm()
    form.typed.day = '1e3'
    expect([form.wrong('day') !== '', form.wrong('pay'), form.isWrong]).toEqual([true, '', true])
    expect([await form.save(), program.count('save_settings')]).toEqual([false, 0])
  })

  it('that cannot be saved stay in their fields, with the reason', async () => {
    program.refuse('save_settings', 'journal')
    const form = new LimitsForm()
    form.typed.pay = '7'
    expect([await form.save(), form.saving.error?.code, form.typed.pay, form.isChanged]).toEqual([
      false,
      'journal',
      '7',
      true,
    ])
  })
})
