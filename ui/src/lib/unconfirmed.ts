/** Words for the number of unconfirmed operations, in a file of its own because the first screen needs them. */
import { t } from './i18n.svelte'

/** Counts unconfirmed operations: those that wait for the person, then the others. The more urgent words come first. */
export function unconfirmedWords(waiting: number, all: number): string[] {
  const words = []
  if (waiting > 0) words.push(t('frame.needs-action', { count: waiting }))
  if (all > waiting) words.push(t('frame.unconfirmed', { count: all - waiting }))
  return words
}
