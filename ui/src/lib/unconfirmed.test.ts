import { describe, expect, it } from 'vitest'
import { unconfirmedWords } from './unconfirmed'

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
