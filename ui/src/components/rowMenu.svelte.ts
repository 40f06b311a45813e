/** The menu of a row: opened by a right click, by the Menu key, or by the button at the row's end. */

export type RowAction = {
  /** The test id is `row-<id>`. */
  id: string
  label: string
  run: () => void
  /** Why it cannot be done now; empty: it can. */
  why?: string
  danger?: boolean
}
type Anchor = { getBoundingClientRect: () => DOMRect }

export class RowMenu {
  isOpen = $state(false)
  /** Whether it was ever asked for: most tables are opened and left without it. */
  wasOpen = $state(false)
  actions = $state.raw<RowAction[]>([])
  /** Where it opens. */
  anchor = $state.raw<Anchor | null>(null)
  private row: HTMLElement | null = null

  /** Opens the actions of the row that was asked. Text that is selected there keeps the menu of the web view. */
  show(event: MouseEvent, actions: RowAction[]): void {
    const { target, clientX: x, clientY: y } = event
    const selection = getSelection()
    if (event.isTrusted && selection?.isCollapsed === false && selection.containsNode(target as Node, true))
      return
    event.preventDefault()
    event.stopPropagation()
    if (actions.length === 0) return
    this.row = event.currentTarget as HTMLElement
    this.anchor = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }
    this.actions = actions
    this.isOpen = this.wasOpen = true
  }

  choose(action: RowAction): void {
    if (action.why) return
    // A dialog that opens now gives the focus back to the row.
    this.row?.focus({ preventScroll: true })
    action.run()
  }

  /** Returns the focus to the row, unless it has gone elsewhere. */
  closed(): void {
    const { activeElement } = document
    const isOurs = !activeElement || activeElement === document.body || activeElement.closest('[role="menu"]')
    if (isOurs) this.row?.focus({ preventScroll: true })
  }
}
