import { describe, expect, it } from 'vitest'
import en from './i18n/en.json'
import zh from './i18n/zh-CN.json'

type Words = { [key: string]: string | Words }

function flat(words: Words, path = ''): Map<string, string> {
  const all = new Map<string, string>()
  for (const [key, value] of Object.entries(words)) {
    const at = path ? `${path}.${key}` : key
    if (typeof value === 'string') all.set(at, value)
    else for (const [inner, text] of flat(value, at)) all.set(inner, text)
  }
  return all
}

// English has two plural forms, Chinese one: `_one` exists in English alone.
const base = (keys: Iterable<string>) => new Set([...keys].filter((key) => !key.endsWith('_one')))
const english = flat(en)
const chinese = flat(zh)

const sources = import.meta.glob(
  ['/src/**/*.svelte', '/src/**/*.ts', '!/src/**/*.test.ts', '!/src/bindings/**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
) as Record<string, string>
const code = Object.values(sources).join('\n')

describe('words', () => {
  it('are complete in both languages', () => {
    expect(base(english.keys())).toEqual(base(chinese.keys()))
  })

  it('name the same values in both languages', () => {
    const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()
    for (const key of base(english.keys())) {
      expect(holes(chinese.get(key) ?? ''), key).toEqual(holes(english.get(key) ?? ''))
    }
  })

  it('exist for every key that the page asks for', () => {
    const asked = [
      ...code.matchAll(/\bt\(\s*'([\w.-]+)'/g),
      ...code.matchAll(/\? '([\w-]+\.[\w.-]+)' : '([\w-]+\.[\w.-]+)'/g),
    ]
    const keys = asked.flatMap((match) => match.slice(1)).filter(Boolean)
    expect(keys.length).toBeGreaterThan(80)
    const unknown = keys.filter((key) => !english.has(key) && !english.has(`${key}_other`))
    expect(unknown).toEqual([])
  })

  it('have no exclamation marks, no "failed", no "OK"', () => {
    const wrong = [...english].filter(
      ([key, text]) => /!|\bOK\b|Failed to|\bError\b/.test(text) && !key.startsWith('order-status'),
    )
    expect(wrong).toEqual([])
  })
})
