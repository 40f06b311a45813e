import { beforeEach, describe, expect, it } from 'vitest'
import type { UsageProgress } from '../bindings/UsageProgress'
import type { UsageState } from '../bindings/UsageState'
import { Program, part, settled } from '../testing/program'
import { UsageReading } from './usageReading.svelte'

let program: Program
let reading: UsageReading
beforeEach(() => {
  program = new Program()
  reading = new UsageReading(program.call)
})

const told = (rows: number) => part<UsageProgress>({ rows, total: 4 })

describe('the read of the usage report', () => {
  it('is one, whoever asks for it, and tells its followers how far it is', async () => {
    const heard: number[] = []
    const unfollow = reading.follow(({ rows }) => heard.push(rows))
    const both = Promise.all([reading.read(), reading.read()])
    await settled()
    await program.tell('usage-progress', told(1))
    unfollow()
    await program.tell('usage-progress', told(2))
    expect([heard, reading.part, reading.work.busy]).toEqual([[1], 0.5, true])
    expect(program.count('usage_sync')).toBe(1)
    const state = part<UsageState>({ rows: 4 })
    await program.held('usage_sync')[0]?.answer(state)
    expect(await both).toEqual([state, state])
    expect([reading.progress, reading.ended, program.isHeard('usage-progress')]).toEqual([null, 1, false])
  })

  it('stays paused until it is asked for again', async () => {
    const first = reading.read()
    const [question] = program.held('usage_sync')
    reading.pause()
    expect([await first, question?.stopped, reading.work.error]).toEqual([undefined, true, null])
    await reading.read()
    expect(program.count('usage_sync')).toBe(1)
    void reading.read(true)
    expect([program.count('usage_sync'), reading.work.busy]).toEqual([2, true])
  })

  it('of another account ends without an answer, and the next is its own', async () => {
    const early = reading.read()
    const [question] = program.held('usage_sync')
    reading.forget()
    const late = reading.read()
    await question?.answer(part<UsageState>({ rows: 1 }))
    expect([await early, reading.work.busy, question?.stopped]).toEqual([undefined, true, true])
    const state = part<UsageState>({ rows: 2 })
    await program.held('usage_sync')[0]?.answer(state)
    expect([await late, reading.work.value, reading.ended]).toEqual([state, state, 1])
    // The next account has no time of its own until it is read.
    reading.forget()
    expect([reading.work.value, reading.work.readAt]).toEqual([null, null])
  })
})
