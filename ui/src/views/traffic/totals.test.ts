import { beforeEach, describe, expect, it } from 'vitest'
import type { TrafficTotals } from '../../bindings/TrafficTotals'
import { Program, part } from '../../testing/program'
import { Totals } from './totals.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

describe('totals', () => {
  it('keep the figures on screen when they cannot be read, and offer to go on after a stop', async () => {
    const totals = new Totals(program.call)
    const told = part<TrafficTotals>({})
    program.answer('traffic_totals', told)
    await totals.load()
    program.hold('traffic_totals')
    const again = totals.load()
    totals.answer.stop()
    await again
    expect([totals.answer.value, totals.answer.error?.code]).toEqual([told, 'given-up'])
  })
})
