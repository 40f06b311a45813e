import { expect, test } from 'vitest'
import { plain } from './typed'

test('full-width signs are plain ones, and a raised digit stays what it is', () => {
  const cases = [
    ['１２', '12'],
    ['１．５', '1.5'],
    ['ａ＠ｘ．ｃｏｍ', 'a@x.com'],
    ['　7', ' 7'],
    ['10²', '10²'],
    ['①', '①'],
  ] as const
  for (const [typed, expected] of cases) expect(plain(typed), typed).toBe(expected)
})
