/** Returns typed text with full-width letters, digits and signs as plain ones. Not NFKC, which reads 10² as 102. */
export function plain(text: string): string {
  const folded = text.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
  return folded.replaceAll('\u3000', ' ')
}

/** Whether a key was pressed for itself. WebKit ends a composition before it reports the key that ended it, as code 229. */
export function isKey(event: KeyboardEvent, key: 'Enter' | 'Escape'): boolean {
  return event.key === key && !event.isComposing && event.keyCode !== 229
}

export function isEnter(event: KeyboardEvent): boolean {
  return isKey(event, 'Enter')
}

/** Ignores a key that is still held down: it is one press, which began elsewhere. */
export function ignoreHeld(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault()
}
