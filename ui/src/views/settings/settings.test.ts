import { beforeEach, describe, expect, it } from 'vitest'
import type { ConnectionView } from '../../bindings/ConnectionView'
import { Program, part } from '../../testing/program'
import { SettingsState } from './settings.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('settings', () => {
  it('show the keychain as it is now, and no earlier state while it is asked', async () => {
    const settings = new SettingsState(program.call)
    program.answer('keychain_state', 'available')
    await settings.lookAtKeychain()
    program.hold('keychain_state')
    const looked = settings.lookAtKeychain()
    expect(settings.keychain.value).toBeNull()
    await program.held('keychain_state')[0]?.answer('locked')
    await looked
    expect(settings.keychain.value).toBe('locked')
  })

  it('remove a connection once', async () => {
    const settings = new SettingsState(program.call)
    settings.leaving = part<ConnectionView>({ id: 'a' })
    program.refuse('remove_connection', 'connection-in-use')
    await Promise.all([settings.remove(), settings.remove()])
    expect([program.count('remove_connection'), settings.error?.code]).toEqual([1, 'connection-in-use'])
  })
})
