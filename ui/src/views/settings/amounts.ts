/** Whether typed text is a plain amount that settings accept. */
export function isPlainAmount(text: string): boolean {
  return /^\d{1,12}(\.\d{1,4})?$/.test(text.trim())
}
