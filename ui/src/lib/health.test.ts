import { beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../bindings/Change'
import type { HealthView } from '../bindings/HealthView'
import { Program, part } from '../testing/program'
import { Health } from './health.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const view = (connection: string, of: Partial<HealthView> = {}) =>
  part<HealthView>({ connection, mood: 'good', capabilities: [], changes: [], ...of })

describe('health', () => {
  it('is that of the connection, and read again when the program says so', async () => {
    let id: string | null = 'one'
    const health = new Health(program.call, () => id)
    const end = health.follow()
    expect(health.mood).toBe('unknown')
    program.answer('vendor_health', (of) => view(of))
    await program.tell('vendor-changed', 'another')
    expect(program.count('vendor_health')).toBe(0)
    await program.tell('vendor-changed', 'one')
    expect([health.view?.connection, health.mood]).toEqual(['one', 'good'])
    id = null
    await health.read()
    expect(health.view).toBeNull()
    end()
  })

  it('knows what the vendor has', async () => {
    const health = new Health(program.call, () => 'one')
    expect(health.has('renewals')).toBe(false)
    const capabilities = [
      { capability: 'renewals', finding: 'present', at: 1 },
      { capability: 'ip-list', finding: 'absent', at: 1 },
      { capability: 'ping', finding: null, at: null },
    ] as const
    program.answer('vendor_health', view('one', { capabilities: [...capabilities] }))
    await health.read()
    expect((['renewals', 'ip-list', 'ping'] as const).map((one) => health.has(one))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is checked once at a time, and a failed check leaves what is known', async () => {
    const health = new Health(program.call, () => 'one')
    program.answer('vendor_health', view('one'))
    await health.read()
    const checks = Promise.all([health.check(), health.check()])
    expect([program.count('check_vendor'), health.checking]).toEqual([1, true])
    await program.held('check_vendor')[0]?.answer(view('one', { mood: 'bad' }))
    await checks
    expect(health.mood).toBe('bad')
    program.refuse('check_vendor', 'keychain')
    await health.check()
    expect([health.mood, health.error?.code]).toEqual(['bad', 'keychain'])
  })

  it('takes no answer about another connection', async () => {
    let id = 'one'
    const health = new Health(program.call, () => id)
    const check = health.check()
    id = 'two'
    await program.held('check_vendor')[0]?.answer(view('one'))
    await check
    expect(health.view).toBeNull()
  })

  it('tells changes until they are read', async () => {
    const health = new Health(program.call, () => 'one')
    const change: Change = { at: 1, changed: { what: 'page-size', from: 10, to: 50 } }
    program
      .answer('vendor_health', view('one', { changes: [change] }))
      .answer('vendor_changes_seen', view('one'))
    await health.read()
    expect(health.changes).toHaveLength(1)
    await health.seen()
    expect([health.changes, program.last('vendor_changes_seen')]).toEqual([[], 'one'])
  })
})
