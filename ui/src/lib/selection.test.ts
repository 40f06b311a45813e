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
