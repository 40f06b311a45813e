import { expect, it } from 'vitest'
import { isLate } from './status'

it.each([
  ['3', 1, 3, true],
  [null, 1, 3, true],
  ['20', 3, 3, false],
  ['3', null, 3, false],
  ['0', 1, 3, false],
  ['10', 1, 3, false],
] as const)(
  'says of status %s with %s of %s delivered whether the rest is on its way',
  (status, delivered, ordered, late) => {
    expect(isLate(status, delivered, ordered)).toBe(late)
  },
)
