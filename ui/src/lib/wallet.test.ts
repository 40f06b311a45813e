import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../testing/program'
import { wallet as view } from '../testing/wallet'
import { Wallet } from './wallet.svelte'

let program: Program
let wallet: Wallet
beforeEach(() => {
  program = new Program()
  wallet = new Wallet(program.call)
})
async function read(figure: Parameters<typeof view>[0]) {
  program.answer('wallet', view(figure))
  await wallet.read()
}

describe('the wallet', () => {
  it('shows nothing until a balance was typed', async () => {
    await read(null)
    expect([wallet.sum, wallet.after('1', 'USD')]).toEqual(['', null])
  })

  it('shows one amount, or the range that uncertain orders leave', async () => {
    await read({ least: '991.45', most: '991.45' })
    expect(wallet.sum).toBe('991.45 USD')
    await read({ least: '991.45', most: '1000' })
    expect(wallet.sum).toBe('991.45 – 1,000.00 USD')
  })

  it('says exactly what an order leaves and whether the figure suffices', async () => {
    await read({ least: '8.55', most: '8.55' })
    expect(wallet.after('8.55', 'USD')).toEqual({ sum: '0.00 USD', suffices: 'yes' })
    expect(wallet.after('8.56', 'USD')).toEqual({ sum: '-0.01 USD', suffices: 'no' })
    await read({ least: '0.3', most: '8.55' })
    expect(wallet.after('0.1', 'USD')).toEqual({ sum: '0.20 – 8.45 USD', suffices: 'yes' })
    expect(wallet.after('0.4', 'USD')?.suffices).toBe('perhaps')
    expect(wallet.after('9', 'USD')?.suffices).toBe('no')
  })

  it('compares with no price in another currency, and with any while its own is unknown', async () => {
    await read({ least: '5', most: '5' })
    expect(wallet.after('1', 'CNY')).toBeNull()
    expect(wallet.after('1', '')?.sum).toBe('4.00 USD')
    program.answer('wallet', { ...view({ least: '5', most: '5' }), currency: '' })
    await wallet.read()
    expect(wallet.after('1', 'CNY')?.sum).toBe('4.00 CNY')
  })

  it('keeps its figure when it cannot be read again, and takes over what a change returns', async () => {
    await read({ least: '5', most: '5' })
    program.refuse('wallet', 'journal')
    await wallet.read()
    expect(wallet.sum).toBe('5.00 USD')
    const late = program.hold('wallet').held('wallet')
    void wallet.read()
    wallet.take(view({ least: '7', most: '7' }))
    await program.held('wallet')[0]?.answer(view({ least: '1', most: '1' }))
    expect([late.length, wallet.sum]).toEqual([0, '7.00 USD'])
  })
})
