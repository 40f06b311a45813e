import { describe, expect, it } from 'vitest'
import tokens from './tokens.css?raw'

const THEMES = ['light', 'dark'] as const

/** The lightness, chroma and hue of a colour in a theme. */
function colour(name: string, theme: (typeof THEMES)[number]): [number, number, number] {
  const pair = new RegExp(`--${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(tokens)
  const [l = Number.NaN, c = 0, h = 0] = (pair?.[theme === 'light' ? 1 : 2] ?? '').split(' ').map(Number)
  return [l, c, h]
}

/** The relative luminance of an OKLCH colour, by way of linear sRGB. */
function luminance([l, c, h]: [number, number, number]): number {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const [long, medium, short] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ] as const
  const red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
  const green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
  const blue = -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short
  const seen = (part: number) => Math.min(1, Math.max(0, part))
  return 0.2126 * seen(red) + 0.7152 * seen(green) + 0.0722 * seen(blue)
}

function contrast(one: string, other: string, theme: (typeof THEMES)[number]): number {
  const [low, high] = [one, other].map((name) => luminance(colour(name, theme))).sort((a, b) => a - b)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

const STATES = ['done', 'working', 'waiting', 'refused', 'practice', 'accent']
const GROUNDS = ['bg', 'surface', 'raised', 'sunken', 'hover']
/** What is read, and on which grounds it may lie. A highlighted row has text alone. */
const READ: [string, string[]][] = [
  ['text', [...GROUNDS, 'highlight', ...STATES.map((state) => `${state}-soft`)]],
  ['text-soft', [...GROUNDS, 'highlight', ...STATES.map((state) => `${state}-soft`)]],
  ...STATES.map((state): [string, string[]] => [state, [...GROUNDS, `${state}-soft`]]),
  ['on-accent', ['accent', 'accent-hover']],
]
/** What shows that something is there: the box of a field, the bar of a highlighted row, the line of a chart. */
const SEEN: [string, string[]][] = [
  ['accent', ['highlight', 'raised']],
  ['line-strong', GROUNDS],
  ['chart-1', ['surface']],
  ['chart-2', ['surface']],
]

describe.each(THEMES)('in the %s theme', (theme) => {
  it.each(READ)('%s can be read on every ground', (name, grounds) => {
    for (const ground of grounds) expect(contrast(name, ground, theme), ground).toBeGreaterThanOrEqual(4.5)
  })
  it.each(SEEN)('%s can be seen on every ground', (name, grounds) => {
    for (const ground of grounds) expect(contrast(name, ground, theme), ground).toBeGreaterThanOrEqual(3)
  })
})
