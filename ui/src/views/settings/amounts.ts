import { plain } from '../../lib/typed'

/** A typed amount as it is kept: with plain digits. */
export function amountTyped(text: string): string {
  return plain(text).trim()
}

/** A typed number of GB as it is kept: with plain digits and without its unit, as an amount to add may have one. */
export function gbTyped(text: string): string {
  return amountTyped(text).replace(/(\d)\s*gb?$/i, '$1')
}

/** Whether an amount is one that settings accept. */
export function isPlainAmount(amount: string): boolean {
  return /^\d{1,12}(\.\d{1,4})?$/.test(amount)
}

/** Whether typed text is a number of days that settings accept: 1 to 365. */
export function isDays(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 365
}
