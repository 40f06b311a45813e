import { describe, expect, it } from 'vitest'
import { found } from './Combobox.svelte'

const options = [
  { value: 'FR', label: 'France', also: '法国' },
  { value: 'CF', label: 'Central African Republic', also: '中非' },
  { value: 'AF', label: 'Afghanistan', also: '阿富汗' },
]
const values = (typed: string) => found(options, typed, 10).map((option) => option.value)

describe('typing into a picker', () => {
  it('finds both languages, beginnings first, then word starts', () => {
    expect(values('af')).toEqual(['AF', 'CF'])
    expect(values('法')).toEqual(['FR'])
    expect(values('ran')).toEqual(['FR'])
  })

  it('finds all of a group by its name, after what is called so itself', () => {
    const grouped = [
      { value: 'tok', label: 'TikTok', group: 'Popular · Social media' },
      { value: 'shop', label: 'Shops', group: 'Popular' },
      { value: 'net', label: 'Social network' },
    ]
    expect(found(grouped, 'social', 10).map((option) => option.value)).toEqual(['net', 'tok'])
  })

  it('finds everything for nothing and nothing for nonsense', () => {
    expect(values(' ')).toEqual(['FR', 'CF', 'AF'])
    expect(values('xyz')).toEqual([])
  })
})
