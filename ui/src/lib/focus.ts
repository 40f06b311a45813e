/** Where the focus is, for those who may move it. */

/** Whether the focus is on nothing, or on the content as a whole: then it may be moved to where the next step is. */
export function isFocusNowhere(): boolean {
  const { activeElement, body } = document
  return !activeElement || activeElement === body || activeElement.matches('main')
}
