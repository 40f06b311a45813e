/** Words for the number of unconfirmed operations, in a file of its own because the first screen needs them. */
import { t } from './i18n.svelte'

/** Counts unconfirmed operations: those that wait for the person, then the others. */
export function unconfirmedWords(waiting: number, all: number): string {
  const words = [
    waiting > 0 && t('frame.needs-action', { count: waiting }),
    all > waiting && t('frame.unconfirmed', { count: all - waiting }),
  ]
  return words.filter((one) => one).join(' · ')
}
