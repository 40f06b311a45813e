import { beforeEach, describe, expect, it } from 'vitest'
import { Wallet } from '../../lib/wallet.svelte'
import { Program } from '../../testing/program'
import { wallet as view } from '../../testing/wallet'
import { Typing } from './typing.svelte'

const NOW = new Date(2026, 10, 20, 9, 5, 30).getTime()
let program: Program
let wallet: Wallet
let typing: Typing
beforeEach(() => {
  program = new Program().answer('type_wallet', view({ least: '1000', most: '1000' }))
  wallet = new Wallet(program.call)
  typing = new Typing(program.call, wallet, () => NOW)
})

describe('typing the wallet', () => {
  it('begins with now, which the program itself takes if it is left as it is', async () => {
    expect([typing.day, typing.time]).toEqual(['2026-11-20', '9:05'])
    typing.amount = '１000'
    expect(await typing.save()).toBe(true)
    expect(program.last('type_wallet')).toEqual({ what: 'balance', amount: '1000', at: null })
    expect([wallet.sum, typing.amount]).toEqual(['1,000.00 USD', ''])
  })

  it('takes an earlier time of the balance', async () => {
    Object.assign(typing, { amount: '5', day: '2026-11-19', time: '18:30' })
    await typing.save()
    expect(program.last('type_wallet')?.at).toBe(new Date(2026, 10, 19, 18, 30).getTime())
  })

  it('sends nothing with a wrong day or time, and says which', async () => {
    Object.assign(typing, { amount: '5', day: '2026-02-30', time: '25:00' })
    expect([typing.dayError, typing.timeError]).toEqual(['', ''])
    expect(await typing.save()).toBe(false)
    expect(typing.dayError && typing.timeError).not.toBe('')
    expect([program.count('type_wallet'), typing.amount]).toEqual([0, '5'])
  })

  it('asks for no time of what was added or spent', async () => {
    typing.choose('added')
    Object.assign(typing, { amount: '500', day: '' })
    expect(await typing.save()).toBe(true)
    expect(program.last('type_wallet')).toEqual({ what: 'added', amount: '500', at: null })
  })

  it('keeps what was typed when it is refused, with the reason at its field', async () => {
    program.hold('type_wallet')
    typing.amount = '-5'
    const saving = typing.save()
    await program.held('type_wallet')[0]?.refuse('invalid', { field: 'wallet-amount', why: 'not-an-amount' })
    expect(await saving).toBe(false)
    expect([typing.amount, typing.amountError !== '', typing.error]).toEqual(['-5', true, null])
    typing.choose('spent')
    expect(typing.amountError).toBe('')
  })

  it('removes what was typed by mistake', async () => {
    program.answer('untype_wallet', view(null))
    await typing.remove(3)
    expect([program.last('untype_wallet'), wallet.figure]).toEqual([3, null])
  })
})
