/** Where the focus is, for those who may move it. */

/** Whether the focus is on nothing, or on the content as a whole: then it may be moved to where the next step is. */
export function isFocusNowhere(): boolean {
  const { activeElement, body } = document
  return !activeElement || activeElement === body || activeElement.matches('main')
}

/** Gives the focus to an element that appears, unless it is somewhere: to what comes next, for those without a pointer. */
export function takesFocus(element: HTMLElement): () => void {
  const timer = setTimeout(() => isFocusNowhere() && element.focus({ preventScroll: true }))
  return () => clearTimeout(timer)
}
