import { describe, expect, it } from 'vitest'
import { inSlices } from './slices'

describe('work in slices', () => {
  it('keeps the order and lets other work through when a slice has lasted', async () => {
    let others = 0
    const other = () => {
      others++
      timer = setTimeout(other)
    }
    let timer = setTimeout(other)
    const hold = (one: number) => {
      const until = performance.now() + 3
      while (performance.now() < until);
      return [one, others]
    }
    const made = await inSlices([1, 2, 3, 4, 5, 6, 7, 8], hold)
    clearTimeout(timer)
    expect(made.map(([one]) => one)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(made.at(-1)?.[1]).toBeGreaterThan(0)
  })
})
