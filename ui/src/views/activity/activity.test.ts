import { beforeEach, describe, expect, it } from 'vitest'
import type { Activity as Found } from '../../bindings/Activity'
import type { ActivityEntry } from '../../bindings/ActivityEntry'
import { operations } from '../../lib/operations.svelte'
import { route } from '../../lib/route.svelte'
import { operation, UNKNOWN } from '../../testing/operation'
import { Program, part, settled } from '../../testing/program'
import { Activity } from './activity.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const found = (total: number) => part<Found>({ entries: [], total, outside: 0 })

describe('activity', () => {
  it('asks one question at a time, and the last one typed at the end', async () => {
    const activity = new Activity(program.call)
    activity.search = 'a'
    void activity.read()
    activity.search = 'ab'
    void activity.read()
    activity.search = 'abc'
    void activity.read()
    expect(program.count('list_activity')).toBe(1)
    await program.held('list_activity')[0]?.answer(found(1))
    expect([program.count('list_activity'), activity.searched]).toEqual([2, 'a'])
    await program.held('list_activity')[0]?.answer(found(2))
    expect([activity.searched, activity.found?.total]).toEqual(['abc', 2])
  })

  it('gives a file all entries that match, also those that are not shown', async () => {
    const activity = new Activity(program.call)
    const entry = part<ActivityEntry>({})
    program.answer('list_activity', ({ most }) => ({
      entries: Array(Math.min(most, 250)).fill(entry),
      total: 250,
      outside: 0,
    }))
    activity.search = 'a'
    await activity.read()
    expect([activity.entries.length, activity.more]).toEqual([100, true])
    expect((await activity.all(new AbortController().signal)).length).toBe(250)
    expect(program.last('list_activity')).toMatchObject({ search: 'a', kind: null })
    expect(activity.entries.length).toBe(100)
  })

  it('is asked for one state alone, which is among the filters until they are cleared', async () => {
    const activity = new Activity(program.call)
    program.answer('list_activity', found(1))
    activity.standing = 'open'
    await activity.read()
    expect(program.last('list_activity')).toMatchObject({ standing: 'open', kind: null })
    expect(activity.filters.length).toBe(1)
    activity.clearFilters()
    await activity.read()
    expect([program.last('list_activity')?.standing, activity.filters]).toEqual([null, []])
  })

  it('is sorted by the program, and a column that is pressed again the other way round', async () => {
    const activity = new Activity(program.call)
    program.answer('list_activity', found(1))
    const asked = async () => {
      await activity.read()
      const { order, down } = program.last('list_activity') ?? {}
      return [order, down]
    }
    expect(await asked()).toEqual(['when', true])
    activity.sortBy('amount')
    expect(await asked()).toEqual(['amount', true])
    activity.sortBy('amount')
    expect(await asked()).toEqual(['amount', false])
    activity.sortBy('what')
    expect(await asked()).toEqual(['what', false])
  })

  it('keeps details closed that the user has closed, until another operation needs them', async () => {
    const activity = new Activity(program.call)
    route.operation = null
    const known = async (...ids: string[]) => {
      program.withoutOperations().answer(
        'list_operations',
        ids.map((id) => operation({ ...UNKNOWN, id })),
      )
      await operations.read()
    }
    await known('first')
    activity.choose()
    expect(route.operation).toBe('first')
    activity.close()
    activity.choose()
    expect(route.operation).toBeNull()
    await known('second', 'first')
    activity.choose()
    expect(route.operation).toBe('second')
  })

  it('keeps what is there when it cannot be read again', async () => {
    const activity = new Activity(program.call)
    program.answer('list_activity', found(3))
    await activity.read()
    program.refuse('list_activity', 'journal')
    await activity.read()
    expect([activity.error?.code, activity.found?.total]).toEqual(['journal', 3])
  })

  it('opens an older operation, and none of another connection', async () => {
    const activity = new Activity(program.call)
    route.operation = 'old'
    program.answer('operations_of', [operation({ id: 'old' })])
    await activity.readOther()
    expect(activity.open?.id).toBe('old')
    route.operation = 'elsewhere'
    program.refuse('operations_of', 'not-possible')
    await activity.readOther()
    await settled()
    expect([route.operation, activity.open]).toEqual([null, null])
  })
})
