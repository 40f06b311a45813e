import { expect, it } from 'vitest'
import { roomOf } from './room'

it.each([
  [1200, ''],
  [937, ''],
  [936, 'narrow'],
  [800, 'narrow narrower'],
  [461, 'narrow narrower'],
  [460, 'narrow narrower least'],
])('a width of %s px is “%s”', (width, words) => {
  expect(roomOf(width)).toBe(words)
})
