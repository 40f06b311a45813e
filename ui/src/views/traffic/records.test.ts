import { beforeEach, describe, expect, it } from 'vitest'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import type { UsageState } from '../../bindings/UsageState'
import { Program, part } from '../../testing/program'
import { Records } from './records.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const page = (total: number, ...ids: string[]) => ({
  total,
  rows: ids.map((account) => part<TrafficRecord>({ account })),
})

describe('records', () => {
  it('come page by page', async () => {
    const records = new Records(program.call)
    program.answer('traffic_records', ({ page: number }) => page(2, `${number}`))
    await records.load()
    expect(records.more).toBe(true)
    await records.next()
    expect([records.rows?.map((row) => row.account), records.more]).toEqual([['1', '2'], false])
  })

  it('are all read for a file, as one list that fits together', async () => {
    const records = new Records(program.call)
    const all = [1, 2, 3, 4].map((one) => part<TrafficRecord>({ account: `${one}` }))
    program.answer('traffic_records', page(4, '1')).answer('all_records', all)
    records.span.from = '2026-03-01'
    await records.load()
    const { signal } = new AbortController()
    // What is typed but not read yet is not the list on screen.
    records.account = 'anna'
    expect((await records.all(signal)).length).toBe(4)
    expect(program.last('all_records')).toEqual({
      list: 'recharged',
      account: '',
      from: '2026-03-01',
      to: null,
    })
    program.refuse('all_records', 'unreachable')
    await expect(records.all(signal)).rejects.toMatchObject({ code: 'unreachable' })
    program.answer('traffic_records', page(1, '1'))
    await records.load()
    expect([(await records.all(signal)).length, program.count('all_records')]).toEqual([1, 2])
  })

  it('stay on screen when they are asked for once more, as many pages as there were', async () => {
    const records = new Records(program.call)
    program.answer('traffic_records', ({ page: number }) => page(2, `${number}`))
    await records.load()
    await records.next()
    program.hold('traffic_records')
    const again = records.load()
    expect(records.rows?.map((row) => row.account)).toEqual(['1', '2'])
    await program.held('traffic_records')[0]?.answer(page(2, '1 again'))
    await program.held('traffic_records')[0]?.answer(page(2, '2 again'))
    await again
    expect(records.rows?.map((row) => row.account)).toEqual(['1 again', '2 again'])
    records.consumed = true
    void records.load()
    expect(records.rows).toBeNull()
    expect(program.last('traffic_records')?.page).toBe(1)
  })

  it('are the last ones, with their time, where none can be read and nothing narrows them', async () => {
    const known = { page: page(9, 'last'), readAt: 7 }
    program.refuse('traffic_records', 'unreachable').answer('known_records', known)
    const records = new Records(program.call)
    await records.load()
    const { answer } = records
    expect([records.rows?.length, records.total, answer.lastReadAt]).toEqual([1, 9, 7])
    program.refuse('all_records', 'unreachable')
    expect((await records.all(new AbortController().signal)).length).toBe(1)
    program.answer('traffic_records', page(9, 'new'))
    await records.next()
    expect([records.rows?.map((row) => row.account), answer.lastReadAt]).toEqual([['new'], null])
    program.refuse('traffic_records', 'unreachable')
    records.account = 'anna'
    await records.load()
    expect([records.rows, answer.error?.code, program.count('known_records')]).toEqual([
      null,
      'unreachable',
      1,
    ])
    program.answer('traffic_records', page(1, 'new'))
    await records.load()
    expect([records.rows?.length, answer.lastReadAt]).toEqual([1, null])
  })

  it('are read again at most three pages deep, and the rest once more on request', async () => {
    const records = new Records(program.call)
    program.answer('traffic_records', ({ page: number }) => page(9, `${number}`))
    await records.load()
    for (let pages = 1; pages < 5; pages++) await records.next()
    expect([records.rows?.length, program.count('traffic_records')]).toEqual([5, 5])
    await records.load()
    expect([records.rows?.length, program.count('traffic_records')]).toEqual([3, 8])
    await records.next()
    expect(records.rows?.map((row) => row.account)).toEqual(['1', '2', '3', '4'])
  })

  it('are read again only after the next page that was asked for before', async () => {
    const records = new Records(program.call)
    program.answer('traffic_records', ({ page: number }) => page(3, `${number}`))
    await records.load()
    program.hold('traffic_records')
    const more = records.next()
    const again = records.load()
    const [asked] = program.held('traffic_records')
    expect([program.count('traffic_records'), asked?.stopped]).toEqual([2, false])
    program.answer('traffic_records', ({ page: number }) => page(3, `${number} again`))
    await asked?.answer(page(3, '2'))
    await Promise.all([more, again])
    expect(records.rows?.map((row) => row.account)).toEqual(['1 again', '2 again'])
  })

  it('are those of the newest question', async () => {
    const records = new Records(program.call)
    const first = records.load()
    records.account = 'b'
    const second = records.load()
    await program
      .held('traffic_records')
      .find((one) => one.request.account === 'b')
      ?.answer(page(1, 'b'))
    await Promise.all([first, second])
    expect([records.rows?.[0]?.account, records.answer.error]).toEqual(['b', null])
  })

  it('name what the filters hide, and show it', async () => {
    const records = new Records(program.call)
    records.span.from = '2026-01-01'
    program.answer('traffic_records', ({ list, from }) => page(!from && list === 'consumed' ? 4 : 0))
    await records.load()
    expect([records.outside, records.filters.length]).toEqual([4, 2])
    records.showAll()
    expect([records.consumed, records.span.from, records.outside]).toEqual([true, '', 0])
  })

  it('of a name say how many more there are on other days', async () => {
    const records = new Records(program.call)
    records.span.from = '2026-01-01'
    program.answer('traffic_records', ({ from }) => (from ? page(2, 'anna') : page(5, 'anna')))
    await records.load()
    expect([records.outside, program.count('traffic_records')]).toEqual([0, 1])
    records.account = 'anna'
    await records.load()
    expect(records.outside).toBe(3)
    await records.next()
    expect([records.rows?.length, records.outside]).toEqual([2, 3])
    records.showAll()
    await records.load()
    expect([records.span.from, records.outside]).toEqual(['', 0])
  })

  it('of a name stay on screen where those on other days cannot be counted', async () => {
    const records = new Records(program.call)
    records.account = 'anna'
    records.span.from = '2026-01-01'
    program.answer('traffic_records', page(1, 'anna'))
    await records.load()
    program.hold('traffic_records')
    const again = records.load()
    await program.held('traffic_records')[0]?.answer(page(1, 'anna'))
    await program.held('traffic_records')[0]?.refuse('unreachable')
    await again
    expect([records.rows?.length, records.answer.error, records.outside]).toEqual([1, null, 0])
  })

  it('are sorted all together, and begin with the newest again', async () => {
    const records = new Records(program.call)
    const all = ['2', '10', '-3'].map((flowCount, at) =>
      part<TrafficRecord>({ flowCount, account: 'cab'[at] }),
    )
    program.answer('traffic_records', page(3, 'newest')).answer('all_records', all)
    await records.load()
    const amounts = () => records.rows?.map((row) => row.flowCount)
    await records.sortBy('amount')
    expect([amounts(), records.more]).toEqual([['10', '2', '-3'], false])
    await records.sortBy('amount')
    expect(amounts()).toEqual(['-3', '2', '10'])
    await records.sortBy('account')
    expect(amounts()).toEqual(['10', '-3', '2'])
    expect((await records.all(new AbortController().signal)).map((row) => row.flowCount)).toEqual(amounts())
    await records.sortBy('when')
    expect([amounts(), program.count('all_records')]).toEqual([['2', '10', '-3'], 1])
    await records.sortBy('when')
    expect(amounts()).toEqual(['-3', '10', '2'])
  })

  it('that are sorted show more of them without another question, and are all read again when asked for', async () => {
    const records = new Records(program.call)
    const all = Array.from({ length: 120 }, (_, at) => part<TrafficRecord>({ flowCount: `${at}` }))
    program.answer('traffic_records', page(120, 'newest')).answer('all_records', all)
    await records.load()
    await records.sortBy('amount')
    expect([records.rows?.length, records.more]).toEqual([50, true])
    await records.next()
    await records.next()
    expect([records.rows?.length, records.more, program.count('all_records')]).toEqual([120, false, 1])
    await records.load()
    expect([records.rows?.length, records.rows?.[0]?.flowCount, program.count('all_records')]).toEqual([
      120,
      '119',
      2,
    ])
    records.account = 'anna'
    await records.load()
    expect([records.rows?.length, records.sorted.by, program.count('traffic_records')]).toEqual([
      50,
      'amount',
      1,
    ])
  })

  it('keep their order while all of them cannot be read', async () => {
    const records = new Records(program.call)
    program.answer('traffic_records', page(2, 'newest')).refuse('all_records', 'restless')
    await records.load()
    await records.sortBy('amount')
    expect([records.rows?.length, records.sorted.by, records.answer.error?.code]).toEqual([
      1,
      'when',
      'restless',
    ])
    await records.load()
    expect(records.answer.error).toBe(null)
  })

  it('are in the order that was asked for last, whatever was being read', async () => {
    const records = new Records(program.call)
    const all = ['2', '10'].map((flowCount) => part<TrafficRecord>({ flowCount }))
    program.answer('traffic_records', page(2, 'newest')).answer('all_records', all)
    await records.load()
    await records.sortBy('amount')
    await records.sortBy('when')
    program.hold('traffic_records')
    const again = records.load()
    await records.sortBy('amount')
    await program.held('traffic_records')[0]?.answer(page(2, 'late'))
    await again
    expect([records.rows?.map((row) => row.flowCount), records.sorted]).toEqual([
      ['10', '2'],
      { by: 'amount', down: true },
    ])
    program.hold('all_records')
    const other = records.load()
    await records.sortBy('amount')
    await program.held('all_records')[0]?.answer(all)
    await other
    expect([records.rows?.[0]?.flowCount, records.sorted.down]).toEqual(['2', false])
  })

  it('of a new question are the newest where not all of them can be read', async () => {
    const records = new Records(program.call)
    program.answer('traffic_records', page(2, 'newest')).answer('all_records', [])
    await records.load()
    await records.sortBy('amount')
    records.account = 'anna'
    program.refuse('all_records', 'restless')
    await records.load()
    expect([records.rows, records.answer.error?.code, records.sorted.by]).toEqual([null, 'restless', 'when'])
    await records.load()
    expect(records.rows?.length).toBe(1)
  })

  it('know today for the usual spans, and begin with all days', async () => {
    const records = new Records(program.call)
    program.answer('usage_state', part<UsageState>({ today: '2026-03-31' }))
    await records.begin()
    expect([records.span.from, records.span.to]).toEqual(['', ''])
    records.span.month(0)
    program.answer('usage_state', part<UsageState>({ today: '2026-04-01' }))
    await records.begin()
    expect([records.span.from, records.span.to]).toEqual(['2026-04-01', '2026-04-01'])
  })
})
