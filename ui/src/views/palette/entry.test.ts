import { expect, it } from 'vitest'
import { type Entry, matching } from './entry'

const entry = (label: string, also?: string): Entry => ({
  id: label,
  group: 'actions',
  label,
  ...(also ? { also } : {}),
  run: () => {},
})
const all = [
  entry('Show in Chinese', 'chinese 中文'),
  entry('Orders'),
  entry('Appearance: Dark', 'dark 深色'),
]
const found = (text: string) => matching(all, text).map((one) => one.label)

it('entries are found by every word, in any spelling and either language', () => {
  expect(found('ＤＡＲＫ')).toEqual(['Appearance: Dark'])
  expect(found('中文')).toEqual(['Show in Chinese'])
  expect(found('in show')).toEqual(['Show in Chinese'])
  expect(found('show dark')).toEqual([])
  expect(found('')).toHaveLength(3)
})

it('those that begin with the text, or have it as a word of their own, come first', () => {
  expect(matching([entry('Reorder'), entry('Orders')], 'order').map((one) => one.label)).toEqual([
    'Orders',
    'Reorder',
  ])
  expect(matching([entry('In the darkness'), entry('Appearance', 'dark')], 'dark')[0]?.label).toBe(
    'Appearance',
  )
})
