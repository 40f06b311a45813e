import { expect, test } from 'vitest'
import { isEnter, plain } from './typed'

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

test('the Enter that ends a composition is none', () => {
  const key = (of: Partial<KeyboardEvent>) =>
    isEnter({ key: 'Enter', isComposing: false, keyCode: 13, ...of } as KeyboardEvent)
  expect([key({}), key({ isComposing: true }), key({ keyCode: 229 }), key({ key: 'a' })]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
