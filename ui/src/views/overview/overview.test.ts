import { beforeEach, describe, expect, it } from 'vitest'
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { DayUse } from '../../bindings/DayUse'
import type { Outlook } from '../../bindings/Outlook'
import type { RunningOut } from '../../bindings/RunningOut'
import type { UsageState } from '../../bindings/UsageState'
import { UsageReading } from '../../lib/usageReading.svelte'
import { Program, part, settled } from '../../testing/program'
import { Overview } from './overview.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

beforeEach(() => {
  program
    .answer(
      'usage_state',
      part<UsageState>({ today: '2026-03-31', oldest: '2026-03-20', through: '2026-03-31' }),
    )
    .answer('usage_by_time', [part<DayUse>({ day: '2026-03-30' })])
    .answer('running_out', part<Outlook>({ rows: [] }))
    .answer('goods_due', { within3: 0, within7: 0 })
    .answer('known_running_out', null)
    .answer(
      'list_orders',
      Array.from({ length: 9 }, (_, at) => part<BookedOrder>({ orderNo: `${at}` })),
    )
})

describe('the overview', () => {
  it('shows what is kept while the vendor is read, and the newest orders', async () => {
    const overview = new Overview(program.call, new UsageReading(program.call))
    const stop = overview.watch()
    await settled()
    expect([overview.days?.length, overview.reading.work.busy]).toEqual([1, true])
    expect([overview.span?.[0], overview.orders.value?.length]).toEqual(['2026-03-20', 5])
    stop()
    await program.held('usage_sync')[0]?.answer(part<UsageState>({}))
    expect([overview.reading.work.busy, program.count('running_out')]).toEqual([false, 0])
  })

  it('shows no day as unused whose use is not read yet', async () => {
    const reading = new UsageReading(program.call)
    const overview = new Overview(program.call, reading)
    const stored = (oldest: string | null, through: string | null) =>
      program.answer('usage_state', part<UsageState>({ today: '2026-03-31', oldest, through }))
    stored('2025-01-01', '2026-03-25')
    const stop = overview.watch()
    await settled()
    expect([overview.span, overview.isKnown]).toEqual([['2026-03-02', '2026-03-24'], false])
    expect(program.last('usage_by_time')).toMatchObject({ from: '2026-03-02', to: '2026-03-24' })
    const asked = program.count('usage_by_time')
    for (const through of [null, '2026-02-01']) {
      stored(through && '2025-01-01', through)
      await program.tell('usage-progress', { rows: 1, total: 2 })
      expect([overview.days, overview.span, overview.isKnown]).toEqual([[], null, false])
    }
    expect(program.count('usage_by_time')).toBe(asked)
    await program.held('usage_sync')[0]?.answer(part<UsageState>({}))
    expect(overview.isKnown).toBe(true)
    stop()
  })

  it('shows each part that can be read, and what is wrong with the others', async () => {
    program.refuse('usage_sync', 'unreachable').refuse('list_orders', 'journal')
    const overview = new Overview(program.call, new UsageReading(program.call))
    await overview.load()
    expect([overview.usageError?.code, overview.orders.error?.code]).toEqual(['unreachable', 'journal'])
    expect([overview.days?.length, overview.out.value?.rows]).toEqual([1, []])
  })

  it('says how many IPs run out soon, and nothing if that is not known', async () => {
    const overview = new Overview(program.call)
    program.answer('usage_sync', part<UsageState>({})).answer('goods_due', { within3: 1, within7: 3 })
    await overview.load()
    expect(overview.due).toEqual({ within3: 1, within7: 3 })
    const other = new Overview(program.call)
    program.refuse('goods_due', 'journal')
    await other.load()
    expect(other.due).toBeNull()
  })

  it('shows who ran out when the customers were last read, with that time, where they cannot be read', async () => {
    program
      .refuse('running_out', 'unreachable')
      .answer('known_running_out', { outlook: part<Outlook>({ read: true, rows: [] }), readAt: 7, seen: 3 })
    const overview = new Overview(program.call)
    await overview.readOut()
    const { out } = overview
    expect([out.value?.read, out.lastReadAt, out.error?.code]).toEqual([true, 7, 'unreachable'])
    expect(overview.left.seen).toBe(3)
    // Or because the usage is not read yet.
    program.answer('running_out', part<Outlook>({ read: false, rows: [] }))
    const other = new Overview(program.call)
    await other.readOut()
    expect([other.out.value?.read, other.out.lastReadAt !== null, other.left.seen]).toEqual([true, true, 3])
    await other.readOut()
    expect([other.out.value?.read, other.out.lastReadAt !== null, other.left.seen]).toEqual([true, true, 3])
    program.answer('running_out', part<Outlook>({ read: true, rows: [] }))
    await other.readOut()
    expect(other.out.lastReadAt).toBe(null)
  })

  it('keeps who was topped up here in their place, with the operation, when they no longer run out', async () => {
    const row = (customerId: string, from: string) => part<RunningOut>({ customerId, from })
    const [anna, ben, cleo] = [row('a', '2026-04-01'), row('b', '2026-04-02'), row('c', '2026-04-03')]
    program.answer('running_out', part<Outlook>({ read: true, rows: [anna, ben, cleo] }))
    const overview = new Overview(program.call)
    await overview.readOut()
    const shown = () => overview.runners.map((one) => [one.row.customerId, one.isOut, one.operation])
    overview.topUp(ben, 'one')
    expect(shown()).toEqual([
      ['a', true, null],
      ['b', true, 'one'],
      ['c', true, null],
    ])
    program.answer('running_out', part<Outlook>({ read: true, rows: [anna, cleo] }))
    await overview.readOut()
    expect(shown()).toEqual([
      ['a', true, null],
      ['b', false, 'one'],
      ['c', true, null],
    ])
  })
})
