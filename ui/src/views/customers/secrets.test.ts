import { beforeEach, describe, expect, it } from 'vitest'
import { notices } from '../../lib/notices.svelte'
import { Program } from '../../testing/program'
import { Secrets } from './secrets.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const known = { token: 'secret', password: 'secret too' }

describe('secrets', () => {
  it('are in the page only while revealed, and not when they come too late', async () => {
    const secrets = new Secrets(program.call, () => '7')
    const asked = secrets.turn()
    secrets.conceal()
    await program.held('reveal_customer')[0]?.answer(known)
    await asked
    expect(secrets.revealed.value).toBeNull()
    program.answer('reveal_customer', known)
    await secrets.turn()
    expect(secrets.revealed.value).toEqual(known)
    await secrets.turn()
    expect(secrets.revealed.value).toBeNull()
  })

  it('are copied without being shown, or it is said why not', async () => {
    const secrets = new Secrets(program.call, () => '7')
    program.answer('copy_secret', null)
    await secrets.copy('token')
    const copied = notices.toast
    program.refuse('copy_secret', 'keychain')
    await secrets.copy('token')
    expect([secrets.revealed.value, copied === notices.toast]).toEqual([null, false])
  })
})
