import { expect, it } from 'vitest'
import { spokenMark } from './countdown'

it('speaks at one minute, at half a minute and at ten seconds, and at no second between', () => {
  const seconds = Array.from({ length: 90 }, (_, second) => 90 - second)
  const spoken = seconds.map((second) => spokenMark(second * 1000))
  const changes = seconds.filter((_, at) => at > 0 && spoken[at] !== spoken[at - 1])
  expect(changes).toEqual([60, 30, 10])
  expect([spoken[0], ...changes.map((second) => spokenMark(second * 1000))]).toEqual([
    undefined,
    60_000,
    30_000,
    10_000,
  ])
})
