import { describe, expect, it } from 'vitest'

/** Controls that the browser itself disables, so that they lose the focus and say nothing. Each with its reason. */
const DISABLED: Record<string, string[]> = {
  // A line of a menu is reached all the same, and says below its name why it cannot be chosen.
  'components/ColumnChoice.svelte': ['disabled={column.always}', 'disabled={!columns.isChanged(table)}'],
  'components/RowMenu.svelte': ['disabled={!!action.why}'],
  // Its places are named by the picker, whose placeholder says what has to be chosen before a city.
  'components/Combobox.svelte': ['{disabled}', '{disabled}'],
  'views/buy/PlacePickers.svelte': ['disabled={cities.length === 0}'],
  // The name of a list of choices stands where nothing is chosen yet.
  'frame/TopBar.svelte': ['disabled'],
  'views/customers/bulk/BulkPreview.svelte': ['disabled'],
  'views/ips/PasteDialog.svelte': ['disabled', 'disabled'],
}

const sources = import.meta.glob('/src/**/*.svelte', {
  query: '?raw',
  import: 'default',
  eager: true,
}) as Record<string, string>
/** The markup of every component, without its script, styles and comments. */
const markup = Object.entries(sources).map(
  ([path, text]) =>
    [
      path.replace('/src/', ''),
      text.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '').replace(/<!--[\s\S]*?-->/g, ''),
    ] as const,
)
const inAll = (pattern: RegExp) =>
  markup.flatMap(([path, text]) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found.trim()}`))

describe('what cannot be used now', () => {
  it('keeps the focus and says why, unless it is in a short list with a reason', () => {
    const known = Object.entries(DISABLED).flatMap(([path, all]) => all.map((one) => `${path}: ${one}`))
    // `<Portal disabled>` keeps a floating part in its place; it is no control.
    const found = inAll(/(?<!Portal)\s(?:disabled=\{[^}]*\}|\{disabled\}|disabled)(?=[\s/>])/g)
    expect(found.sort()).toEqual(known.sort())
  })

  it('says why wherever it is only marked as such', () => {
    const marked = markup.filter(
      ([path, text]) => !path.startsWith('components/') && /aria-disabled/.test(text),
    )
    const silent = marked.filter(([, text]) => !/data-why|doing\./.test(text)).map(([path]) => path)
    expect(marked.length).toBeGreaterThan(0)
    expect(silent).toEqual([])
    const idle = markup.filter(([, text]) => /<IconButton[^>]*\bidle=/.test(text))
    expect(idle.filter(([, text]) => !/\bhint=/.test(text)).map(([path]) => path)).toEqual([])
  })
})

/** The opening tags of these elements. An arrow of a function inside a value ends no tag. */
const tags = (text: string) =>
  [
    ...text.matchAll(
      /<(?:Button|IconButton|button|select|input|textarea)\b(?:\{(?:[^{}]|\{[^{}]*\})*\}|[^>{])*>/g,
    ),
  ].map(([tag]) => tag)

describe('every control', () => {
  it('has a test id', () => {
    const all = markup.flatMap(([path, text]) => tags(text).map((tag) => [path, tag] as const))
    expect(all.length).toBeGreaterThan(200)
    const nameless = all.filter(([, tag]) => !tag.includes('testid') && !tag.includes('{...'))
    expect(nameless.map(([path, tag]) => `${path}: ${tag}`)).toEqual([])
  })
})
