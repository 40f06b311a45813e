import { beforeEach, describe, expect, it } from 'vitest'
import type { ProxyTested } from '../../bindings/ProxyTested'
import { Program, settled } from '../../testing/program'
import { ProxyTests } from './proxyTests.svelte'
import { Tested } from './tested.svelte'

let program: Program
let out: string[][]
let tested: Tested
let tests: ProxyTests
const works = (key: string, at = 1): ProxyTested => ({
  key,
  outcome: { is: 'works', ms: 5, country: null },
  at,
})
const refuses = (key: string, at = 1): ProxyTested => ({ key, outcome: { is: 'refused' }, at })
const begin = async () => {
  tested.watch()
  await settled()
}
const keys = () => tests.results.map((one) => one.key)

beforeEach(() => {
  program = new Program().answer('proxy_tests', [])
  out = []
  const leaveOut = (keys: string[]) => void out.push(keys)
  tested = new Tested(program.call)
  tests = new ProxyTests(program.call, { keys: ['a', 'b', 'c'], leaveOut }, tested)
})

describe('tests of IPs', () => {
  it('begin with what was tested before, and say how many were not', async () => {
    program.answer('proxy_tests', [works('c', 7), refuses('b', 3)])
    await begin()
    expect([keys(), tests.untested, tests.at]).toEqual([['b', 'c'], 1, 7])
  })

  it('test nothing by themselves', async () => {
    await begin()
    expect(program.count('test_proxies')).toBe(0)
  })

  it('show each result as it comes, those that fail first, once per press', async () => {
    await begin()
    program.hold('test_proxies')
    void tests.test()
    void tests.test()
    await settled()
    await program.tell('proxy-tested', works('a'))
    expect([keys(), tests.untested, tests.run.busy]).toEqual([['a'], 2, true])
    await program.tell('proxy-tested', refuses('c'))
    expect(keys()).toEqual(['c', 'a'])
    await program.held('test_proxies')[0]?.answer([works('a'), works('b'), refuses('c')])
    expect([keys(), tests.run.busy, program.count('test_proxies')]).toEqual([['c', 'a', 'b'], false, 1])
  })

  it('keep what was found when they are stopped, and say nothing of it as an error', async () => {
    await begin()
    program.hold('test_proxies')
    const testing = tests.test()
    await settled()
    await program.tell('proxy-tested', refuses('b'))
    const [question] = program.held('test_proxies')
    tests.run.stop()
    await testing
    expect([question?.stopped, keys(), tests.untested, tests.run.error]).toEqual([true, ['b'], 2, null])
  })

  it('forget the last results when they begin again', async () => {
    program.answer('proxy_tests', [works('a'), works('b'), works('c')])
    await begin()
    program.hold('test_proxies')
    void tests.test()
    await settled()
    expect(tests.untested).toBe(3)
  })

  it('leave out exactly the IPs that do not work', async () => {
    const elsewhere: ProxyTested = {
      key: 'c',
      outcome: { is: 'wrong-country', ms: 5, country: 'US', ordered: 'JP' },
      at: 1,
    }
    program.answer('proxy_tests', [works('a'), refuses('b'), elsewhere])
    await begin()
    tests.leaveOut()
    expect(out).toEqual([['b', 'c']])
  })
})
