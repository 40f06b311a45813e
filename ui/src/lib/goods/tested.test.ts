import { beforeEach, describe, expect, it } from 'vitest'
import type { ProxyTested } from '../../bindings/ProxyTested'
import { Program, settled } from '../../testing/program'
import { Tested } from './tested.svelte'

let program: Program
let tested: Tested
const works = (key: string, at: number): ProxyTested => ({
  key,
  outcome: { is: 'works', ms: 5, country: null },
  at,
})

beforeEach(() => {
  program = new Program()
  tested = new Tested(program.call)
})

describe('what tests have shown', () => {
  it('does not come back with an answer that was asked for before it was forgotten', async () => {
    program.hold('proxy_tests')
    tested.watch()
    await settled()
    tested.forget(['a'])
    await program.held('proxy_tests')[0]?.answer([works('a', 7)])
    expect(tested.of('a')).toBeUndefined()
  })

  it('is read and heard of while somebody watches, and a result that was heard is newer than what was read', async () => {
    program.hold('proxy_tests')
    const stop = tested.watch()
    await settled()
    await program.tell('proxy-tested', works('a', 9))
    await program.held('proxy_tests')[0]?.answer([works('a', 7), works('b', 7)])
    expect(['a', 'b', 'c'].map((key) => tested.of(key)?.at)).toEqual([9, 7, undefined])
    stop()
    await settled()
    expect(program.isHeard('proxy-tested')).toBe(false)
  })
})
