import { beforeEach, describe, expect, it } from 'vitest'
import { Program } from '../testing/program'
import { Reads } from './reads.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('reads that wait', () => {
  it('are shown with what is left, until none waits', async () => {
    const reads = new Reads(program.call)
    const stop = reads.watch()
    await program.tell('reads-waiting', 30)
    expect(reads.left).toBe(30)
    await program.tell('reads-waiting', null)
    expect(reads.left).toBeNull()
    stop()
  })

  it('can be given up', () => {
    new Reads(program.call).stop()
    expect(program.count('stop_waits')).toBe(1)
  })
})
