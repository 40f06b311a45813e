import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { Assign, NOBODY } from './assign.svelte'
import { People } from './people.svelte'

let program: Program
let assign: Assign
beforeEach(() => {
  program = new Program().answer('assign_goods', [])
  assign = new Assign(new People(program.call), ['a', 'b'])
})

describe('assigning', () => {
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
