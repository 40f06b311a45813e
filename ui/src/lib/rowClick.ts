/** Rows that open as a whole. */

/** Whether a click in a row was on a control with an action of its own. */
export function isOnControl({ target }: MouseEvent): boolean {
  return (
    target instanceof Element && target.closest('button, input, label, select, [data-own-action]') !== null
  )
}
