import { beforeEach, describe, expect, it } from 'vitest'
import { Selection } from './selection.svelte'

const ALL = ['a', 'b', 'c', 'd']
let found = ALL
let selection: Selection<{ key: string }>
const row = (key: string) => ({ key })
beforeEach(() => {
  found = ALL
  selection = new Selection({
    keyOf: ({ key }) => key,
    rows: async (first, count) => ALL.slice(first, first + count).map(row),
    keysOf: async () => found,
  })
})

describe('a selection', () => {
  it('grows row by row, and with Shift from the last one, in either direction', async () => {
    await selection.choose(row('c'), 2, true, false)
    await selection.choose(row('a'), 0, true, true)
    expect([...selection.keys].sort()).toEqual(['a', 'b', 'c'])
    await selection.choose(row('b'), 1, false, false)
    expect([...selection.keys].sort()).toEqual(['a', 'c'])
  })

  it('does not reach back to a row whose place has changed', async () => {
    await selection.choose(row('a'), 0, true, false)
    await selection.reorder(8, 4)
    await selection.choose(row('d'), 3, true, true)
    expect([...selection.keys]).toEqual(['a', 'd'])
  })

  it('takes all rows of a query until one is turned, and leaves what another query selected', async () => {
    await selection.choose(row('z'), 0, true, false)
    await selection.chooseAll(7, true)
    expect([selection.keys.size, selection.isAll(7), selection.isAll(8)]).toEqual([5, true, false])
    await selection.choose(row('d'), 3, false, false)
    expect([selection.keys.size, selection.isAll(7)]).toEqual([4, false])
    await selection.chooseAll(7, false)
    expect([...selection.keys]).toEqual(['z'])
    selection.none()
    expect([selection.keys.size, selection.isAll(undefined)]).toEqual([0, false])
  })

  it('is one of all rows of the list that was read last, whichever answer comes last', async () => {
    await selection.chooseAll(7, true)
    const answers: ((keys: string[]) => void)[] = []
    const held = new Selection({
      keyOf: ({ key }: { key: string }) => key,
      rows: async () => [],
      keysOf: (query) => (query === 7 ? Promise.resolve(ALL) : new Promise((answer) => answers.push(answer))),
    })
    await held.chooseAll(7, true)
    for (const [first, second] of [
      [8, 9],
      [9, 8],
    ]) {
      const both = [held.reorder(8, 4), held.reorder(9, 4)]
      const [of8, of9] = answers.splice(0)
      const answer = (query = 0) => (query === 8 ? of8 : of9)?.(ALL)
      answer(first)
      await both[(first ?? 0) - 8]
      answer(second)
      await Promise.all(both)
      expect([held.isAll(8), held.isAll(9)]).toEqual([false, true])
      await held.chooseAll(7, true)
    }
    const late = held.reorder(10, 4)
    held.none()
    answers.at(-1)?.(ALL)
    await late
    expect([held.keys.size, held.isAll(10)]).toEqual([0, false])
    found = Promise.reject(new Error('changed')) as never
    await selection.reorder(8, 4)
    expect([selection.keys.size, selection.isAll(8)]).toEqual([4, false])
  })

  it('stays one of all rows when they are read again, unless one has joined them', async () => {
    await selection.chooseAll(7, true)
    await selection.reorder(8, 4)
    expect([selection.isAll(7), selection.isAll(8)]).toEqual([false, true])
    found = ['a', 'b', 'c', 'e']
    await selection.reorder(9, 4)
    expect(selection.isAll(9)).toBe(false)
    found = ['a']
    await selection.choose(row('a'), 0, false, false)
    await selection.reorder(10, 1)
    expect(selection.isAll(10)).toBe(false)
  })
})
