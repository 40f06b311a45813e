/** Our words for the values of a purchase that the interface explains. */
import { has, t } from './i18n.svelte'

type Part = 'sell-modes' | 'line-types' | 'proxy-types'

/** Returns our word for a value; empty: it has none. */
export function valueWord(part: Part, value: string): string {
  const key = `${part}.${value.toLowerCase()}`
  return has(key) ? t(key) : ''
}

/** Returns the word for no limit of the bandwidth; empty: there is a limit. */
export function unlimited(value: string): string {
  return /^0+$/.test(value) ? t('buy.unlimited') : ''
}

export function udpWord(on: boolean): string {
  return t(on ? 'buy.udp-on' : 'buy.udp-off')
}

/** A label, and the vendor's own word for it where it says something else; empty: none. */
export type Labelled = { label: string; hint: string }

/** Prefers our word to the vendor's, which may be in another language or name the same value differently. */
export function labelled(ours: string, vendors: string, otherwise = ''): Labelled {
  if (!ours) return { label: vendors || otherwise, hint: '' }
  return { label: ours, hint: vendors.toLowerCase() === ours.toLowerCase() ? '' : vendors }
}
