import { beforeEach, describe, expect, it } from 'vitest'
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
    program.answer('practice_set_wallet', { wallet: '50', speed: 1 })
    await practice.setWallet()
    expect([practice.state.value?.wallet, practice.wallet]).toEqual(['50', ''])
  })

  it('sends no amount that is none', async () => {
    const practice = new Practice(program.call)
    practice.wallet = 'much'
    await practice.setWallet()
    expect([program.asked, practice.walletError !== '']).toEqual([[], true])
  })
})
