import { beforeEach, describe, expect, it } from 'vitest'
import type { Boot } from '../bindings/Boot'
import type { Settings } from '../bindings/Settings'
import { commandError, Program, part } from '../testing/program'
import { ProxyTestAddress } from './proxyTestAddress.svelte'
import { session } from './session.svelte'

let program: Program
const settings = part<Settings>({ language: 'en', theme: 'system', proxyTest: null })
beforeEach(() => {
  program = new Program()
  session.boot = part<Boot>({ settings })
})

describe('the address of tests', () => {
  it('is saved as the program reads it, and then nothing is left to save', async () => {
    program.answer('save_settings', (asked) => ({ ...asked, proxyTest: 'https://a.example/' }))
    const address = new ProxyTestAddress()
    address.type(' a.example ')
    expect([address.isChanged, await address.save()]).toEqual([true, true])
    expect(program.last('save_settings')?.proxyTest).toBe('a.example')
    expect([address.typed, address.saved, address.isChanged]).toEqual([
      'https://a.example/',
      'https://a.example/',
      false,
    ])
  })

  it('that is wrong stays in the field with its reason, until something else is typed', async () => {
    const about = { field: 'proxy-test-address', why: 'credentials' } as const
    program.answer('save_settings', () => {
      throw commandError('invalid', about)
    })
    const address = new ProxyTestAddress()
    address.type('me:it@a.example')
    expect([await address.save(), address.typed, address.saved]).toEqual([false, 'me:it@a.example', null])
    expect(address.wrong).toContain('password')
    address.type('a.example')
    expect(address.wrong).toBe('')
  })

  it('is forgotten when tests are turned off', async () => {
    session.boot = part<Boot>({ settings: { ...settings, proxyTest: 'https://a.example/' } })
    program.answer('save_settings', (asked) => asked)
    const address = new ProxyTestAddress()
    address.type('b.example')
    expect(await address.turnOff()).toBe(true)
    expect([program.last('save_settings')?.proxyTest, address.saved, address.typed]).toEqual([null, null, ''])
  })
})
