import { describe, expect, it } from 'vitest'
import { isDays } from './amounts'

describe('a typed number of days', () => {
  it('is whole and between a day and a year', () => {
    expect(['1', '30', '365'].filter(isDays)).toHaveLength(3)
    expect(['', '0', '366', '1.5', '-3', 'x', '1000'].filter(isDays)).toEqual([])
  })
})
