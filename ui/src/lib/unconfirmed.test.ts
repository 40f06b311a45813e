import { describe, expect, it } from 'vitest'
import type { OperationView } from '../bindings/OperationView'
import { part } from '../testing/program'
import { unconfirmedWords, urgentFirst } from './unconfirmed'

describe('the number of unconfirmed operations', () => {
  it.each([
    [0, 0, []],
    [0, 2, ['2 not confirmed']],
    [1, 1, ['1 needs action']],
    [2, 5, ['2 need action', '3 not confirmed']],
  ])('%s that wait for the person, of %s, are %j', (waiting, all, words) => {
    expect(unconfirmedWords(waiting, all)).toEqual(words)
  })
})

describe('open operations', () => {
  it('stand with those first that wait for the person, else as they were', () => {
    const those = (ids: string[]) => ids.map((id) => part<OperationView>({ id }))
    const sorted = urgentFirst(those(['a', 'b', 'c', 'd']), those(['d', 'b']))
    expect(sorted.map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c'])
  })
})
