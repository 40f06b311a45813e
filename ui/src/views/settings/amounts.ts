/** Whether typed text is a plain amount that settings accept. */
export function isPlainAmount(text: string): boolean {
  return /^\d{1,12}(\.\d{1,4})?$/.test(text.trim())
}

/** Whether typed text is a number of days that settings accept: 1 to 365. */
export function isDays(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 365
}
