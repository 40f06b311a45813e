import { beforeEach, describe, expect, it } from 'vitest'
import { dayHere } from '../../lib/days'
import { Program } from '../../testing/program'
import { EndsCalendar, startOf, weeks } from './calendar.svelte'
import { NO_FILTER } from './ips.svelte'

const query = { search: '', order: 'ends' as const, down: false, filter: NO_FILTER, withinBuyer: false }
const at = (day: string, hour = 12) => startOf(day) + hour * 3_600_000
let program: Program
let calendar: EndsCalendar
beforeEach(() => {
  program = new Program()
  calendar = new EndsCalendar(program.call)
})
const cell = (day: string) => calendar.weeks.flat().find((one) => one.day === day)

describe('the calendar of expiries', () => {
  it('has whole weeks from Monday on', () => {
    const november = weeks('2026-11-01')
    expect([november[0]?.[0], november.at(-1)?.[6], november.length]).toEqual(['2026-10-26', '2026-12-06', 6])
    expect(weeks('2027-02-01')).toHaveLength(4)
  })

  it('begins a day at midnight of this computer', () => {
    expect(dayHere(startOf('2026-11-25'))).toBe('2026-11-25')
    expect(dayHere(startOf('2026-11-25') - 1)).toBe('2026-11-24')
  })

  it('adds up what runs out on a day, and says what is past', async () => {
    const ends = [
      { at: at('2026-11-03'), count: 2 },
      { at: at('2026-11-25', 1), count: 3 },
      { at: at('2026-11-25', 23), count: 4 },
      { at: at('2026-12-02'), count: 9 },
    ]
    program.answer('goods_ends', { now: at('2026-11-20'), ends, unknown: 1 })
    await calendar.read(query)
    expect([cell('2026-11-25')?.count, cell('2026-11-20')?.isToday, cell('2026-11-03')?.isPast]).toEqual([
      7,
      true,
      true,
    ])
    expect([calendar.inMonth, cell('2026-12-02')?.outside]).toEqual([9, true])
    calendar.turn(1)
    expect([calendar.month, calendar.inMonth]).toEqual(['2026-12-01', 9])
    calendar.showToday()
    expect(calendar.month).toBe('2026-11-01')
  })

  it('stays when it cannot be read again', async () => {
    program.answer('goods_ends', { now: at('2026-11-20'), ends: [], unknown: 0 })
    await calendar.read(query)
    program.refuse('goods_ends', 'journal')
    await calendar.read(query)
    expect([calendar.error?.code, calendar.month, calendar.busy]).toEqual(['journal', '2026-11-01', false])
  })
})
