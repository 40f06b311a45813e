/**
 * The rows of a table by keyboard. Only the current row is in the tab order, with its controls. Up, Down, Home and End
 * make another row current, Enter opens it, Space ticks it, and the Menu key or Shift+F10 asks for its actions.
 */
import type { Attachment } from 'svelte/attachments'

/** A table of which only some rows are in the page: each carries its index as `data-row`. */
export type Long = {
  count: () => number
  /** Rows on a screen. */
  page: () => number
  /** Brings a row into the page, at once. */
  reveal: (at: number) => void
}
type Options = {
  long?: Long
  /** Whether a row that becomes current is opened, because another one is open. */
  follows?: () => boolean
}

const CONTROLS = 'button, input, select, a[href]'
/** Time on a row, in ms, after which it is opened because another one is open. */
const FOLLOW = 150
/** Rows that Page Up and Page Down pass in a short table. */
const PAGE = 10

/** Makes the rows (`[data-row]`) of a table walkable. */
export function walksRows(options: Options = {}): Attachment<HTMLElement> {
  return (table) => {
    table.dataset.rows = ''
    const walk = new Walk(table, options)
    const listening = new AbortController()
    const { signal } = listening
    table.addEventListener('keydown', (event) => walk.key(event), { signal })
    table.addEventListener('focusin', (event) => walk.enter(event.target), { signal })
    table.addEventListener('focusout', (event) => walk.leave(event), { signal })
    const changes = new MutationObserver((records) => walk.changed(records))
    changes.observe(table, { subtree: true, childList: true, attributeFilter: ['data-row'] })
    walk.settle()
    return () => {
      listening.abort()
      changes.disconnect()
    }
  }
}

class Walk {
  private at = 0
  private current: HTMLElement | null = null
  /** Whether a row has the focus, also just after it was removed. */
  private isHeld = false
  private following: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly table: HTMLElement,
    private readonly options: Options,
  ) {
    for (const row of this.rows()) quiet(row)
  }

  key(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (hasOwnKeys(event.target)) return
    const row = this.rowOf(event.target)
    if (!row && event.target !== this.table) return
    if (row && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) {
      event.preventDefault()
      askActions(row, row)
      return
    }
    const to = this.target(event.key)
    if (to !== null && !event.shiftKey) {
      event.preventDefault()
      this.move(to)
    } else if (row && event.target === row && this.act(row, event)) event.preventDefault()
  }

  /** Opens or ticks the row. Returns whether the key does that. */
  private act(row: HTMLElement, { key, shiftKey, repeat }: KeyboardEvent): boolean {
    if (key === 'Enter' && !shiftKey) {
      if (!repeat) row.click()
      return true
    }
    const box = key === ' ' && row.querySelector('input[type="checkbox"]')
    if (!box) return false
    box.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))
    return true
  }

  /** The index that a key leads to; null: it leads nowhere. */
  private target(key: string): number | null {
    const page = this.options.long?.page() ?? PAGE
    const steps: Record<string, number> = {
      ArrowDown: this.at + 1,
      ArrowUp: this.at - 1,
      PageDown: this.at + page,
      PageUp: this.at - page,
      Home: 0,
      End: Number.POSITIVE_INFINITY,
    }
    const to = steps[key]
    return to === undefined ? null : Math.max(0, Math.min(to, this.count - 1))
  }

  private move(to: number): void {
    if (this.count === 0) return
    this.options.long?.reveal(to)
    const row = this.row(to)
    if (!row) return
    this.at = to
    this.choose(row)
    row.focus({ preventScroll: this.options.long !== undefined })
    if (this.options.follows?.()) this.follow(row)
  }

  /** Opens a row unless the user walks on: details are read from the vendor. */
  private follow(row: HTMLElement): void {
    clearTimeout(this.following)
    this.following = setTimeout(() => {
      if (row.isConnected && document.activeElement === row) row.click()
    }, FOLLOW)
  }

  enter(target: EventTarget | null): void {
    const row = this.rowOf(target)
    if (!row) return
    this.isHeld = true
    this.at = this.indexOf(row)
    this.choose(row)
  }

  leave({ target, relatedTarget }: FocusEvent): void {
    // What is removed has no say in where the focus goes.
    if (relatedTarget !== null || (target instanceof Element && target.isConnected)) this.isHeld = false
  }

  changed(records: MutationRecord[]): void {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof HTMLElement) this.added(node)
    this.settle()
  }

  private added(node: HTMLElement): void {
    const row = this.rowOf(node)
    if (row) {
      if (row === this.current) wake(row, node)
      else quiet(node)
    } else for (const one of node.querySelectorAll<HTMLElement>('[data-row]')) if (this.isOwn(one)) quiet(one)
  }

  /** Keeps one row in the tab order, and the focus on the current row where its element was replaced. */
  settle(): void {
    const { isHeld } = this
    if (!this.options.long) this.at = Math.max(0, Math.min(this.at, this.count - 1))
    const kept = !this.options.long && this.current?.isConnected ? this.current : this.row(this.at)
    const row = kept ?? this.rows()[0] ?? null
    if (row && row !== this.current) this.choose(row)
    else if (!row) this.current = null
    // Without rows to walk, the scrolled part itself is reached by Tab.
    this.table.tabIndex = row ? -1 : 0
    if (!isHeld || !this.isAstray(kept)) return
    if (kept) kept.focus({ preventScroll: true })
    else this.table.focus({ preventScroll: true })
  }

  /** Whether the focus was lost with its element, or its element shows another row now. */
  private isAstray(kept: HTMLElement | null): boolean {
    const { activeElement } = document
    const focused = this.rowOf(activeElement)
    return activeElement === document.body || (focused !== null && focused !== kept)
  }

  private choose(row: HTMLElement): void {
    if (this.current !== row && this.current) {
      this.current.tabIndex = -1
      quiet(this.current)
    }
    this.current = row
    row.tabIndex = 0
    wake(row, row)
  }

  private get count(): number {
    return this.options.long?.count() ?? this.rows().length
  }

  private row(at: number): HTMLElement | null {
    return this.options.long
      ? this.table.querySelector<HTMLElement>(`[data-row="${at}"]`)
      : (this.rows()[at] ?? null)
  }

  private indexOf(row: HTMLElement): number {
    return this.options.long ? Number(row.dataset.row) : this.rows().indexOf(row)
  }

  /** The rows in the page, without those of a table inside this one. */
  private rows(): HTMLElement[] {
    return [...this.table.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => this.isOwn(row))
  }

  private rowOf(target: EventTarget | null): HTMLElement | null {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
    return row && this.isOwn(row) ? row : null
  }

  private isOwn(row: Element): boolean {
    return row.closest('[data-rows]') === this.table
  }
}

/** Whether a control in a row has a use for the arrow keys itself: a text that is typed, or a list. */
function hasOwnKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== 'checkbox')
  )
}

/** Takes the controls of a row out of the tab order. What was never in it stays out for good. */
function quiet(inside: HTMLElement): void {
  for (const control of controls(inside)) {
    if (control.tabIndex >= 0) control.dataset.stop = ''
    control.tabIndex = -1
  }
}

/** Brings the controls of the current row into the tab order. */
function wake(row: HTMLElement, inside: HTMLElement): void {
  if (inside !== row) quiet(inside)
  for (const control of controls(inside)) if (control.dataset.stop !== undefined) control.tabIndex = 0
}

function controls(inside: HTMLElement): HTMLElement[] {
  const within = [...inside.querySelectorAll<HTMLElement>(CONTROLS)]
  return inside.matches(CONTROLS) ? [inside, ...within] : within
}

/** Asks for the actions of a row as a right click does; the menu opens under `under`. */
export function askActions(row: Element, under: Element): void {
  const box = under.getBoundingClientRect()
  const at = {
    clientX: under === row ? box.x + 24 : box.right,
    clientY: box.bottom - (under === row ? 8 : 0),
  }
  row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...at }))
}
