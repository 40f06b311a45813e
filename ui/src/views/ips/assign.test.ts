import { beforeEach, describe, expect, it } from 'vitest'
import { People } from '../../lib/goods/people.svelte'
import { Program } from '../../testing/program'
import { Assign, NOBODY } from './assign.svelte'

let program: Program
let assign: Assign
beforeEach(() => {
  program = new Program().answer('assign_goods', [])
  assign = new Assign(new People(program.call), ['a', 'b'], program.call)
})

describe('assigning', () => {
  it('says whose the IPs are now, unless they are nobody’s', async () => {
    const bob = { id: 2, name: 'bob', deleted: false }
    for (const [whose, words] of [
      [[{ buyer: null, count: 2 }], ''],
      [[{ buyer: bob, count: 2 }], 'bob'],
      [
        [
          { buyer: bob, count: 1 },
          { buyer: null, count: 1 },
        ],
        /1 for bob.*1/,
      ],
    ] as const) {
      program.answer('whose_goods', { whose: [...whose], expired: [], unreadable: [] })
      await assign.look()
      if (typeof words === 'string') expect(assign.now).toBe(words)
      else expect(assign.now).toMatch(words)
    }
    program.refuse('whose_goods', 'journal')
    await assign.look()
    expect(assign.ready).toBe(false)
  })

  it('is ready once somebody is chosen or a note is typed', () => {
    expect(assign.ready).toBe(false)
    assign.write('')
    expect(assign.ready).toBe(true)
  })

  it('leaves a note that was not touched', async () => {
    assign.chosen = 'new dora'
    expect(await assign.save()).toBe(true)
    expect(program.last('assign_goods')).toEqual([
      { keys: ['a', 'b'], who: { what: 'new', name: 'dora' }, note: null },
    ])
  })

  it('takes IPs back, and notes something without another buyer', async () => {
    assign.chosen = NOBODY
    await assign.save()
    expect(program.last('assign_goods')?.[0]?.who).toEqual({ what: 'nobody' })
    assign.chosen = ''
    assign.write(' spare ')
    await assign.save()
    expect(program.last('assign_goods')).toEqual([{ keys: ['a', 'b'], who: null, note: 'spare' }])
  })

  it('stays open with the reason when it fails', async () => {
    program.refuse('assign_goods', 'journal')
    assign.chosen = NOBODY
    expect(await assign.save()).toBe(false)
    expect(assign.saving.error?.code).toBe('journal')
  })
})
