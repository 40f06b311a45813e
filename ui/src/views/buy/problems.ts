/** The sentences for lines of a pasted list that cannot be parsed. */
import { t } from '../../lib/i18n.svelte'
import type { Problem } from './addresses'
import { MOST_IPS } from './lines'

/** The most problems that are named one by one: after a wrong file there may be hundreds. */
const SHOWN = 3

export function problemLines(wrong: string | Problem[]): string[] {
  if (typeof wrong === 'string') return wrong ? [wrong] : []
  const said = wrong
    .slice(0, SHOWN)
    .map(({ line, text, why }) => t(`invalid.line-${why}`, { line, text: text.slice(0, 60), most: MOST_IPS }))
  return wrong.length > SHOWN ? [...said, t('invalid.more-lines', { count: wrong.length - SHOWN })] : said
}
