import { beforeEach, describe, expect, it } from 'vitest'
import { Wallet } from '../../lib/wallet.svelte'
import { Program } from '../../testing/program'
import { wallet as view } from '../../testing/wallet'
import { Typing } from './typing.svelte'

const NOW = new Date(2026, 10, 20, 9, 5, 30).getTime()
const SECOND = 1000
let now: number
let program: Program
let wallet: Wallet
let typing: Typing
beforeEach(() => {
  now = NOW
  program = new Program().answer('type_wallet', view({ least: '1000', most: '1000' }))
  wallet = new Wallet(program.call)
  typing = new Typing(program.call, wallet, () => now)
})

describe('typing the wallet', () => {
  it('takes a balance of now as seen while the form was open, up to the last change of its amount', async () => {
    expect([typing.day, typing.time]).toEqual(['2026-11-20', '9:05'])
    now = NOW + 20 * SECOND
    typing.amount = '１00'
    now = NOW + 40 * SECOND
    typing.amount = '１000'
    expect([typing.day, typing.time]).toEqual(['2026-11-20', '9:06'])
    now = NOW + 90 * SECOND
    expect(await typing.save()).toBe(true)
    const seen = { from: NOW, until: NOW + 40 * SECOND }
    expect(program.last('type_wallet')).toEqual({ what: 'balance', amount: '1000', seen })
    expect([wallet.sum, typing.amount, typing.time]).toEqual(['1,000.00 USD', '', '9:07'])
    // The next balance is seen after this one.
    typing.amount = '900'
    await typing.save()
    expect(program.last('type_wallet')?.seen).toEqual({ from: now, until: now })
  })

  it('takes an earlier time of the balance, to the minute, which a change of the amount leaves alone', async () => {
    Object.assign(typing, { day: '2026-11-19', time: '18:30', amount: '5' })
    await typing.save()
    const from = new Date(2026, 10, 19, 18, 30).getTime()
    expect(program.last('type_wallet')?.seen).toEqual({ from, until: from + 60 * SECOND - 1 })
  })

  it('sends a span that begins before it ends when the clock is set back meanwhile', async () => {
    now = NOW - 3600 * SECOND
    typing.amount = '5'
    await typing.save()
    expect(program.last('type_wallet')?.seen).toEqual({ from: now, until: NOW })
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
    expect(program.last('type_wallet')).toEqual({ what: 'added', amount: '500', seen: null })
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
