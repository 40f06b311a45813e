import { beforeEach, describe, expect, it } from 'vitest'
import { operation } from '../../testing/operation'
import { Program } from '../../testing/program'
import { Card } from './card.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('an operation on its card', () => {
  it('is resent once, however often it is pressed', async () => {
    program.answer('list_operations', [])
    const card = new Card(program.call, () => operation({ id: 'a' }))
    const presses = Promise.all([card.resend(), card.resend(), card.judge('done')])
    expect([program.count('resend_operation'), program.count('judge_operation'), card.busy]).toEqual([
      1,
      0,
      true,
    ])
    await program.held('resend_operation')[0]?.answer(operation())
    program.answer('operations_touched', { position: 0, rows: [], openBulks: [] }).answer('gb_factor', 1024)
    await program.held('operations_touched')[0]?.answer({ position: 0, rows: [], openBulks: [] })
    await presses
    expect(card.busy).toBe(false)
  })

  it('is read again when it went wrong, and the error is shown', async () => {
    program.answer('list_operations', []).answer('gb_factor', 1024).refuse('check_operation', 'unreachable')
    program.answer('operations_touched', { position: 0, rows: [], openBulks: [] })
    const card = new Card(program.call, () => operation())
    await card.look()
    expect([card.error?.code, program.count('list_operations')]).toEqual(['unreachable', 1])
  })
})
