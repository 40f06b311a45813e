/** Rows that open as a whole. */

/** Whether a click in a row does not mean the row: it was on a control with an action of its own, or selected text. */
export function isOnControl({ target, detail }: MouseEvent): boolean {
  if (!(target instanceof Element)) return false
  const selection = detail > 0 ? getSelection() : null
  const selects = selection?.isCollapsed === false && selection.containsNode(target, true)
  return selects || target.closest('button, input, label, select, [data-own-action]') !== null
}
