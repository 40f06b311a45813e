import { beforeEach, describe, expect, it } from 'vitest'
import type { NewVersion } from '../bindings/NewVersion'
import type { UpdateState } from '../bindings/UpdateState'
import { Program, part } from '../testing/program'
import { Updates } from './updates.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const state = (of: Partial<UpdateState>) =>
  part<UpdateState>({
    kind: 'deb',
    canInstall: true,
    daily: true,
    checked: 1,
    newer: null,
    step: 'idle',
    ...of,
  })
const newer = (postponed: boolean) => part<NewVersion>({ version: '2', notes: '- one\n- two', postponed })

describe('updates', () => {
  it('are news unless the person put them off', async () => {
    const updates = new Updates(program.call)
    program.answer('update_state', state({ newer: newer(false) }))
    await updates.start()
    expect([updates.news?.version, updates.points]).toEqual(['2', ['one', 'two']])
    program.answer('postpone_update', state({ newer: newer(true) }))
    await updates.postpone()
    expect([program.last('postpone_update'), updates.news]).toEqual(['2', null])
  })

  it('follow the program', async () => {
    const updates = new Updates(program.call)
    program.answer('update_state', state({}))
    await updates.start()
    program.answer('update_state', state({ step: 'fetching' }))
    await program.tell('update-changed')
    expect(updates.state?.step).toBe('fetching')
  })

  it('keep what is known when the feed cannot be asked', async () => {
    const updates = new Updates(program.call)
    program.answer('update_state', state({ newer: newer(false) })).refuse('check_update', 'update')
    await updates.start()
    await updates.check()
    expect([updates.error?.code, updates.checking, updates.news?.version]).toEqual(['update', false, '2'])
  })
})
