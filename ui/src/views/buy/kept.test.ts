import { expect, it } from 'vitest'
import { buyFor } from './kept.svelte'

it('keeps the basket of a connection while it is open, and of no other', () => {
  const buy = buyFor('a')
  expect(buyFor('a')).toBe(buy)
  const other = buyFor('b')
  expect(other).not.toBe(buy)
  expect(buyFor('a')).not.toBe(buy)
})
