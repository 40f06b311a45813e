import { beforeEach, describe, expect, it } from 'vitest'
import type { TrafficTotals } from '../../bindings/TrafficTotals'
import { Program, part, settled } from '../../testing/program'
import { Totals } from './totals.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('totals', () => {
  it('keep the figures on screen when they cannot be read, and offer to go on after a stop', async () => {
    const totals = new Totals(program.call)
    const told = part<TrafficTotals>({})
    program.answer('traffic_totals', told).answer('known_totals', null)
    await totals.load()
    program.hold('traffic_totals')
    const again = totals.load()
    totals.answer.stop()
    await again
    expect([totals.answer.value, totals.answer.error?.code]).toEqual([told, 'given-up'])
    expect([totals.answer.lastReadAt !== null, program.count('known_totals')]).toEqual([true, 1])
  })

  it('are those of an earlier start until they are read', async () => {
    const totals = new Totals(program.call)
    const [early, late] = [part<TrafficTotals>({ primary: null }), part<TrafficTotals>({ secondary: null })]
    program.answer('known_totals', { totals: early, readAt: 5 })
    const read = totals.load()
    await settled()
    const { answer } = totals
    expect([answer.value, answer.lastReadAt]).toEqual([early, 5])
    await program.held('traffic_totals')[0]?.answer(late)
    await read
    expect([answer.value, answer.lastReadAt]).toEqual([late, null])
  })

  it('are never replaced by older ones', async () => {
    const totals = new Totals(program.call)
    const read = totals.load()
    await program.held('traffic_totals')[0]?.answer(part<TrafficTotals>({}))
    await read
    await program
      .held('known_totals')[0]
      ?.answer({ totals: part<TrafficTotals>({ primary: null }), readAt: 5 })
    expect(totals.answer.value).toEqual({})
  })
})
