import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watch } from './watch.svelte'

class Typed {
  text = $state('a')
  other = $state(0)
}

describe('watch', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs at once and on every change of what is named, and of nothing else', () => {
    const [typed, seen]: [Typed, string[]] = [new Typed(), []]
    const end = $effect.root(() =>
      watch(
        () => typed.text,
        (text) => seen.push(`${text}${typed.other}`),
      ),
    )
    flushSync()
    typed.other = 1
    flushSync()
    typed.text = 'b'
    flushSync()
    expect(seen).toEqual(['a0', 'b1'])
    end()
    typed.text = 'c'
    flushSync()
    expect(seen).toHaveLength(2)
  })

  it('does not run again for a new object in which what is named is the same', () => {
    class Read {
      row = $state.raw({ id: 'a' })
    }
    const [read, seen]: [Read, string[][]] = [new Read(), []]
    const end = $effect.root(() =>
      watch(
        () => [read.row.id],
        (ids) => seen.push(ids),
      ),
    )
    flushSync()
    read.row = { id: 'a' }
    flushSync()
    expect(seen).toEqual([['a']])
    read.row = { id: 'b' }
    flushSync()
    expect(seen).toEqual([['a'], ['b']])
    end()
  })

  it('runs again for a list that was read anew, with rows or without', () => {
    class Read {
      rows = $state.raw<{ id: string }[]>([])
    }
    const read = new Read()
    let runs = 0
    const end = $effect.root(() =>
      watch(
        () => read.rows,
        () => runs++,
      ),
    )
    for (const rows of [[], [{ id: 'a' }], [{ id: 'a' }], []]) {
      flushSync()
      read.rows = rows
    }
    flushSync()
    expect(runs).toBe(5)
    end()
  })

  it('waits until the changes pause, and asks nothing when it ends before', () => {
    const [typed, seen]: [Typed, string[]] = [new Typed(), []]
    const end = $effect.root(() =>
      watch(
        () => typed.text,
        (text) => void seen.push(text),
        { delay: 150 },
      ),
    )
    flushSync()
    vi.advanceTimersByTime(100)
    typed.text = 'ab'
    flushSync()
    vi.advanceTimersByTime(149)
    expect(seen).toEqual([])
    vi.advanceTimersByTime(1)
    expect(seen).toEqual(['ab'])
    typed.text = 'abc'
    flushSync()
    end()
    vi.advanceTimersByTime(1000)
    expect(seen).toEqual(['ab'])
  })

  it('leaves out the beginning where it is lazy, and undoes a run before the next', () => {
    const [typed, seen]: [Typed, string[]] = [new Typed(), []]
    const end = $effect.root(() =>
      watch(
        () => typed.text,
        (text) => {
          seen.push(text)
          return () => seen.push(`end ${text}`)
        },
        { lazy: true },
      ),
    )
    flushSync()
    expect(seen).toEqual([])
    typed.text = 'b'
    flushSync()
    typed.text = 'c'
    flushSync()
    end()
    expect(seen).toEqual(['b', 'end b', 'c', 'end c'])
  })
})
