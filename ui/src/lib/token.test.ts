import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../testing/program'
import { session } from './session.svelte'
import { Token } from './token.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('a rotated token', () => {
  it('is sent once, and stays in its field when it was not accepted', async () => {
    const token = new Token(program.call)
    token.typed = 'new'
    session.replacingToken = 'agent'
    const presses = Promise.all([token.save('agent'), token.save('agent')])
    expect([program.count('replace_token'), token.saving.busy]).toEqual([1, true])
    await program.held('replace_token')[0]?.refuse('not-authenticated')
    await presses
    expect([token.typed, token.saving.error?.code, session.replacingToken]).toEqual([
      'new',
      'not-authenticated',
      'agent',
    ])
  })

  it('leaves the page with its form', () => {
    const token = new Token(program.call)
    token.typed = 'new'
    token.close()
    expect([token.typed, session.replacingToken]).toEqual(['', null])
  })
})
