import { beforeEach, describe, expect, it } from 'vitest'
import type { Boot } from '../../bindings/Boot'
import type { Settings } from '../../bindings/Settings'
import { session } from '../../lib/session.svelte'
import { Program, part } from '../../testing/program'
import { NotificationsForm } from './notifications.svelte'

let program: Program
const notifications = { delivered: false, lowTraffic: '5', ends: 3 }
beforeEach(() => {
  program = new Program().answer('save_settings', (asked) => asked)
  session.boot = part<Boot>({ settings: part<Settings>({ language: 'en', theme: 'system', notifications }) })
})

describe('notifications', () => {
  it('are saved as typed, full-width digits as digits, and what was switched stays', async () => {
    const form = new NotificationsForm()
    expect([form.low, form.ends, form.isChanged]).toEqual(['5', '3', false])
    form.low = ''
    form.ends = '１０'
    expect([form.isChanged, await form.save(), form.isChanged]).toEqual([true, true, false])
    expect(program.last('save_settings')?.notifications).toEqual({
      delivered: false,
      lowTraffic: null,
      ends: 10,
    })
  })

  it('take a threshold with its unit', async () => {
    const form = new NotificationsForm()
    form.low = '7 GB'
    expect(await form.save()).toBe(true)
    expect(program.last('save_settings')?.notifications.lowTraffic).toBe('7')
  })

  it('of deliveries are switched at once, whatever is typed meanwhile', async () => {
    const form = new NotificationsForm()
    form.low = '7'
    await form.switchDelivered(true)
    expect(program.last('save_settings')?.notifications).toEqual({
      delivered: true,
      lowTraffic: '5',
      ends: 3,
    })
    expect([form.low, form.isChanged]).toEqual(['7', true])
  })

  it('with a wrong threshold are not sent', async () => {
    for (const [low, ends] of [
      ['a lot', '3'],
      ['5', '0'],
      ['5', '366'],
    ] as const) {
      const form = new NotificationsForm()
      form.low = low
      form.ends = ends
      expect([form.wrongLow !== '', form.wrongEnds !== '']).toEqual([low !== '5', ends !== '3'])
      expect(await form.save()).toBe(false)
    }
    expect(program.count('save_settings')).toBe(0)
  })

  it('that cannot be saved stay in their fields, with the reason', async () => {
    program.refuse('save_settings', 'journal')
    const form = new NotificationsForm()
    form.ends = '9'
    expect([await form.save(), form.saving.error?.code, form.ends]).toEqual([false, 'journal', '9'])
  })
})
