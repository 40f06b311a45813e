import { beforeEach, describe, expect, it } from 'vitest'
import type { ConnectionView } from '../../bindings/ConnectionView'
import type { ProbeResults } from '../../bindings/ProbeResults'
import { Program, part } from '../../testing/program'
import { ConnectionForm } from './connections.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('the form of a connection', () => {
  it('is saved once; what is typed stays when it was refused', async () => {
    const form = new ConnectionForm(program.call, null)
    Object.assign(form.draft, { name: 'Mine', staticToken: 'secret' })
    const presses = Promise.all([form.save(), form.save()])
    expect([program.count('save_connection'), form.busy]).toEqual([1, 'save'])
    await program.held('save_connection')[0]?.refuse('invalid', { field: 'name', why: 'empty' })
    expect(await presses).toEqual([false, false])
    const refused = form.error?.code === 'invalid' && form.error.about.field
    expect([refused, form.draft.staticToken, form.busy]).toEqual(['name', 'secret', null])
  })

  it('knows whether what is wrong or helps is among the advanced fields', async () => {
    const form = new ConnectionForm(program.call, null)
    for (const [code, about, needsAdvanced] of [
      ['invalid', { field: 'name', why: 'empty' }, false],
      ['invalid', { field: 'agent-prefix', why: 'bad-prefix' }, true],
      ['journal', undefined, false],
      ['keychain', 'locked', true],
      ['keychain', 'other-account', false],
    ] as const) {
      const saved = form.save()
      await program.held('save_connection')[0]?.refuse(code, about)
      await saved
      expect([code, form.needsAdvanced]).toEqual([code, needsAdvanced])
    }
  })

  it('stops a test, which is no error', async () => {
    const form = new ConnectionForm(program.call, null)
    const test = form.test()
    expect(form.busy).toBe('test')
    form.tested.stop()
    await test
    expect([form.busy, form.error, form.tested.value]).toEqual([null, null, null])
  })

  it('shows no result of an earlier test beside a new one', async () => {
    const form = new ConnectionForm(program.call, null)
    program.answer('test_connection', part<ProbeResults>({ staticArea: 'ok' }))
    await form.test()
    program.hold('test_connection')
    void form.test()
    expect(form.tested.value).toBeNull()
  })

  it('holds no token that was saved', () => {
    const saved = part<ConnectionView>({ name: 'Mine', hasStaticToken: true, hasAgentToken: false })
    const form = new ConnectionForm(program.call, saved)
    expect([form.saved, form.draft.staticToken, form.draft.name]).toEqual([
      { static: true, agent: false },
      '',
      'Mine',
    ])
  })
})
