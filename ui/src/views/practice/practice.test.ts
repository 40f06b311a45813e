import { beforeEach, describe, expect, it } from 'vitest'
import { kept } from '../../lib/kept.svelte'
import { operations } from '../../lib/operations.svelte'
import { route } from '../../lib/route.svelte'
import { Program } from '../../testing/program'
import { Practice } from './practice.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('the practice menu', () => {
  it('keeps the amount that was not taken, and empties the field when it was', async () => {
    const practice = new Practice(program.call)
    practice.wallet = '５0'
    program.refuse('practice_set_wallet', 'internal')
    await practice.setWallet()
    expect([practice.state.error?.code, practice.wallet, program.last('practice_set_wallet')]).toEqual([
      'internal',
      '５0',
      '50',
    ])
    program.answer('practice_set_wallet', { wallet: '50', speed: 1, mishap: null })
    await practice.setWallet()
    expect([practice.state.value?.wallet, practice.wallet]).toEqual(['50', ''])
  })

  it('plans a mishap, and shows what the program planned', async () => {
    const practice = new Practice(program.call)
    program.answer('practice_mishap', (mishap) => ({ wallet: '50', speed: 1, mishap }))
    await practice.plan('lost-answer')
    expect([program.last('practice_mishap'), practice.state.value?.mishap]).toEqual([
      'lost-answer',
      'lost-answer',
    ])
    await practice.plan(null)
    expect(practice.state.value?.mishap).toBeNull()
  })

  it('forgets everything of the old world after a reset, and nothing if it was refused', async () => {
    program.withoutOperations().answer('practice_state', { wallet: '1000', speed: 1, mishap: null })
    const practice = new Practice(program.call)
    const { era } = kept
    route.order = 'A1'
    program.refuse('practice_reset', 'internal')
    await practice.reset()
    expect([practice.state.error?.code, kept.era, route.order]).toEqual(['internal', era, 'A1'])
    program.answer('practice_reset', { wallet: '1000', speed: 1, mishap: null })
    program.answer('list_operations', [])
    await practice.reset()
    expect([practice.state.error, kept.era, route.order]).toEqual([null, era + 1, null])
    expect(operations.all).toEqual([])
  })

  it('sends no amount that is none', async () => {
    const practice = new Practice(program.call)
    practice.wallet = 'much'
    await practice.setWallet()
    expect([program.asked, practice.walletError !== '']).toEqual([[], true])
  })
})
