import { beforeEach, describe, expect, it } from 'vitest'
import type { ConsumptionRow } from '../../bindings/ConsumptionRow'
import type { UsageState } from '../../bindings/UsageState'
import { Program, part } from '../../testing/program'
import { Consumption } from './consumption.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const rows = (...dates: string[]) => dates.map((date) => part<ConsumptionRow>({ date }))
beforeEach(() =>
  program.answer('usage_state', part<UsageState>({ today: '2026-03-31' })).answer('known_consumption', null),
)

describe('consumption', () => {
  it('begins with the last thirty days, newest first', async () => {
    const consumption = new Consumption(program.call)
    program.answer('traffic_consumption', rows('2026-03-01', '2026-03-02'))
    await consumption.begin()
    expect(program.last('traffic_consumption')).toEqual({ nni: false, from: '2026-03-02', to: '2026-03-31' })
    expect(consumption.answer.value?.[0]?.date).toBe('2026-03-02')
  })

  it('never shows one kind under the name of the other', async () => {
    const consumption = new Consumption(program.call)
    program.answer('traffic_consumption', rows('2026-03-01'))
    await consumption.begin()
    program.hold('traffic_consumption')
    const general = consumption.load()
    consumption.nni = true
    const nni = consumption.load()
    expect(consumption.answer.value).toBeNull()
    const held = program.held('traffic_consumption')
    await held.find((one) => one.request.nni)?.answer(rows('2026-03-09'))
    await Promise.all([general, nni])
    expect(consumption.answer.value?.[0]?.date).toBe('2026-03-09')
  })

  it('keeps the rows of its own question under an error, and no others', async () => {
    const consumption = new Consumption(program.call)
    program.answer('traffic_consumption', rows('2026-03-01'))
    await consumption.begin()
    program.refuse('traffic_consumption', 'unreachable')
    await consumption.load()
    expect([consumption.answer.value?.length, consumption.answer.lastReadAt !== null]).toEqual([1, true])
    consumption.span.from = '2026-03-20'
    await consumption.load()
    expect([consumption.answer.value, consumption.answer.error?.code]).toEqual([null, 'unreachable'])
  })

  it('shows the days that were read last if they are all of the span, with their time', async () => {
    const known = { from: '2026-02-20', rows: rows('2026-02-25', '2026-03-09'), readAt: 7 }
    program.refuse('traffic_consumption', 'unreachable').answer('known_consumption', known)
    const consumption = new Consumption(program.call)
    await consumption.begin()
    const { answer } = consumption
    const shown = () => [answer.value?.map((row) => row.date), answer.lastReadAt]
    expect(shown()).toEqual([['2026-03-09'], 7])
    consumption.span.from = '2026-02-20'
    await consumption.load()
    expect(shown()).toEqual([['2026-03-09', '2026-02-25'], 7])
    consumption.span.from = '2026-02-19'
    await consumption.load()
    expect([answer.value, answer.error?.code]).toEqual([null, 'unreachable'])
  })

  it('counts the days outside a span that has none', async () => {
    const consumption = new Consumption(program.call)
    program.answer('traffic_consumption', ({ from }) =>
      from === null ? rows('2025-01-01', '2025-01-02') : [],
    )
    await consumption.begin()
    expect([consumption.answer.value, consumption.outside]).toEqual([[], 2])
    consumption.showAll()
    await consumption.load()
    expect([consumption.answer.value?.length, consumption.outside]).toEqual([2, 0])
  })

  it('is sorted by a column, with the highest first, and the other way round when it is pressed again', async () => {
    const consumption = new Consumption(program.call)
    const day = (date: string, sum: string) => part<ConsumptionRow>({ date, sum })
    program.answer('traffic_consumption', [
      day('2026-03-03', '9'),
      day('2026-03-04', '10'),
      day('2026-03-05', '1'),
    ])
    await consumption.begin()
    const sums = () => consumption.rows.map((row) => row.sum)
    expect(sums()).toEqual(['1', '10', '9'])
    consumption.sortBy('sum')
    expect(sums()).toEqual(['10', '9', '1'])
    consumption.sortBy('sum')
    expect(sums()).toEqual(['1', '9', '10'])
    consumption.sortBy('when')
    expect(sums()).toEqual(['1', '10', '9'])
  })

  it('asks nothing about a span that is none', async () => {
    const consumption = new Consumption(program.call)
    program.answer('traffic_consumption', rows('2026-03-01'))
    await consumption.begin()
    consumption.span.from = 'soon'
    await consumption.load()
    expect(program.count('traffic_consumption')).toBe(1)
  })
})
