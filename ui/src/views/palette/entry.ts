/** An entry of the palette, and the words by which it is found. */
import { plain } from '../../lib/typed'

export const GROUPS = [
  'said',
  'recent',
  'pages',
  'actions',
  'customers',
  'buyers',
  'orders',
  'saved',
  'places',
] as const

export type Entry = {
  id: string
  group: (typeof GROUPS)[number]
  label: string
  hint?: string
  /** More words by which it is found, in both languages. */
  also?: string
  run: () => void
}

const fold = (text: string) => plain(text).trim().toLocaleLowerCase()

/** Returns the entries that hold every word of a text, those that begin with it first. */
export function matching(entries: Entry[], text: string): Entry[] {
  const wanted = fold(text)
  const words = wanted.split(/\s+/)
  const fits = ({ label, hint = '', also = '' }: Entry) => {
    const own = fold(`${label} ${hint} ${also}`)
    return words.every((word) => own.includes(word))
  }
  const begins = ({ label, also = '' }: Entry) =>
    fold(label).startsWith(wanted) || also.split(' ').some((word) => fold(word) === wanted)
  return entries.filter(fits).sort((one, other) => Number(begins(other)) - Number(begins(one)))
}
