import { beforeEach, describe, expect, it } from 'vitest'
import type { GoodsCounts } from '../../bindings/GoodsCounts'
import type { GoodsFound } from '../../bindings/GoodsFound'
import type { GoodsView } from '../../bindings/GoodsView'
import { Program, part, settled } from '../../testing/program'
import { Ips } from './ips.svelte'

let program: Program
let ips: Ips
beforeEach(() => {
  program = new Program()
  ips = new Ips(program.call)
})

const row = (key: string) => part<GoodsView>({ key })
const found = (number: number, count = 4) =>
  part<GoodsFound>({ number, count, all: 4, outside: 0, rows: [], counts: part<GoodsCounts>({}) })
const listed = async () => {
  program.answer('find_goods', found(1)).answer('read_goods', { read: 0, refused: 0, left: 0 })
  await ips.load()
}

describe('the list of IPs', () => {
  it('is shown as it is known, and again once orders were read', async () => {
    program.answer('find_goods', found(1)).hold('read_goods')
    const loading = ips.load()
    await settled()
    expect(ips.found?.number).toBe(1)
    await program.held('read_goods')[0]?.answer({ read: 2, refused: 0, left: 0 })
    await loading
    expect(program.count('find_goods')).toBe(2)
    await listed()
    expect(program.count('find_goods')).toBe(3)
  })

  it('is not drawn again when it is found as it was', async () => {
    await listed()
    const before = ips.found
    await ips.find()
    expect(ips.found).toBe(before)
    program.answer('find_goods', found(1, 3))
    await ips.find()
    expect(ips.found?.count).toBe(3)
  })

  it('stays empty on screen while it is read again', async () => {
    program.answer('find_goods', { ...found(1, 0), all: 0 }).hold('read_goods')
    const loading = ips.load()
    await settled()
    expect(ips.isFirstRead).toBe(true)
    await program.held('read_goods')[0]?.answer({ read: 0, refused: 0, left: 0 })
    await loading
    void ips.load()
    await settled()
    expect([ips.reading.busy, ips.isFirstRead]).toEqual([true, false])
  })

  it('asks for refused orders again only when it is refreshed', async () => {
    await listed()
    expect(program.last('read_goods')).toBe(false)
    await ips.load(true)
    expect([program.last('read_goods'), program.count('find_goods')]).toEqual([true, 3])
  })

  it('is refreshed even when a reading that began earlier finds the list later', async () => {
    program.hold('find_goods').answer('read_goods', { read: 0, refused: 0, left: 0 })
    const opened = ips.load()
    const refreshed = ips.load(true)
    const [first, second] = program.held('find_goods')
    await second?.answer(found(1))
    await first?.answer(found(1))
    await opened
    expect([program.count('read_goods'), program.last('read_goods')]).toEqual([1, true])
    await program.held('find_goods')[0]?.answer(found(1))
    await refreshed
  })

  it('is refreshed while the reading that began with it goes on', async () => {
    program.answer('find_goods', found(1)).hold('read_goods')
    void ips.load()
    await settled()
    expect([ips.reading.busy, ips.refreshing]).toEqual([true, false])
    void ips.load(true)
    await settled()
    expect([ips.refreshing, program.last('read_goods')]).toEqual([true, true])
    await program.held('read_goods').at(-1)?.answer({ read: 0, refused: 0, left: 0 })
    expect([ips.reading.busy, ips.refreshing]).toEqual([false, false])
  })

  it('stays on screen when orders cannot be read', async () => {
    program.answer('find_goods', found(1)).refuse('read_goods', 'unreachable')
    await ips.load()
    expect([ips.reading.error?.code, ips.error, ips.found?.count]).toEqual(['unreachable', null, 4])
  })

  it('asks for what is typed and chosen, and on the page of a buyer always for theirs', async () => {
    await listed()
    ips.search = '１９２.0'
    ips.filter.ends = 'within7'
    await ips.find()
    expect(program.last('find_goods')).toMatchObject({
      search: '192.0',
      filter: { ends: 'within7', buyer: null },
    })
    const theirs = new Ips(program.call, 7)
    await theirs.find()
    expect(program.last('find_goods')?.filter.buyer).toEqual({ of: 'one', id: 7 })
  })

  it('is narrowed by a search or a filter, and shows only what another place asks for', async () => {
    expect(ips.narrowed).toBe(false)
    ips.search = 'x'
    ips.filter.country = ''
    expect(ips.narrowed).toBe(true)
    ips.showOnly({ ends: 'expired' })
    expect([ips.search, ips.filter.country, ips.filter.ends]).toEqual(['', null, 'expired'])
    ips.showAll()
    expect(ips.narrowed).toBe(false)
  })

  it('is sorted by a column and then the other way around, times from the newest', () => {
    const order = () => [ips.order, ips.down]
    expect(order()).toEqual(['added', true])
    ips.sortBy('ends')
    expect(order()).toEqual(['ends', false])
    ips.sortBy('ends')
    expect(order()).toEqual(['ends', true])
    ips.sortBy('sent')
    expect(order()).toEqual(['sent', true])
  })
})

describe('the selection', () => {
  beforeEach(async () => {
    await listed()
    program.answer('found_goods', ({ first, count }) =>
      ['a', 'b', 'c', 'd'].slice(first, first + count).map(row),
    )
  })

  it('takes all that were found, also those that are not on screen', async () => {
    program.answer('found_goods_keys', ['a', 'b', 'c', 'd'])
    await ips.selection.choose(row('z'), 0, true, false)
    await ips.selection.chooseAll(ips.found?.number, true)
    expect([ips.selection.keys.size, ips.selection.isAll(ips.found?.number)]).toEqual([5, true])
  })

  it('reads every row for a copy, part by part, in the order of the list', async () => {
    expect((await ips.all()).map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
    program.answer('found_goods', [])
    expect(await ips.all()).toEqual([])
  })

  it('is copied whole, also what the search hides, and on the page of a buyer only theirs', async () => {
    await ips.selection.choose(row('d'), 3, true, false)
    await ips.selection.choose(row('b'), 1, true, false)
    ips.search = 'a'
    ips.filter.ends = 'within7'
    program.answer('found_goods_keys', ['a', 'b', 'c', 'd'])
    expect((await ips.chosen()).map(({ key }) => key)).toEqual(['b', 'd'])
    expect(program.last('find_goods')).toMatchObject({ search: '', filter: { ends: null, buyer: null } })
    expect(program.last('found_goods')).toMatchObject({ first: 1, count: 3 })
    await new Ips(program.call, 7).chosen()
    expect(program.last('find_goods')?.filter.buyer).toEqual({ of: 'one', id: 7 })
  })
})
