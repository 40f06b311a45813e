/** What the first screen says of unconfirmed operations. */
import type { OperationView } from '../bindings/OperationView'
import { t } from './i18n.svelte'

/** Counts unconfirmed operations: those that wait for the person, then the others. The more urgent words come first. */
export function unconfirmedWords(waiting: number, all: number): string[] {
  const words = []
  if (waiting > 0) words.push(t('frame.needs-action', { count: waiting }))
  if (all > waiting) words.push(t('frame.unconfirmed', { count: all - waiting }))
  return words
}

/** Open operations in the order of their urgency: those that wait for the person first. */
export function urgentFirst(open: OperationView[], waiting: OperationView[]): OperationView[] {
  const urgent = new Set(waiting.map(({ id }) => id))
  return [...open.filter(({ id }) => urgent.has(id)), ...open.filter(({ id }) => !urgent.has(id))]
}
