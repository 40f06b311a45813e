/** What the web view would do with the page by itself, as a browser does, and must not. WebView2 does all of it. */

/** With the main modifier: find again, history, downloads, open, print, save, source, and with Shift a reload. */
const HELD = /^[ghjopsu]$/i
/** Alone: find again, reload, caret browsing, and the keys of a keyboard with keys for browsers. */
const ALONE = /^(F3|F5|F7|Browser.+)$/

export const mac = navigator.platform.startsWith('Mac')

/** Keeps the web view from acting on a key that is none of the program's. */
export function ignoreBrowserKey(event: KeyboardEvent): void {
  // There these keys belong to the system and its menus.
  if (mac) return
  const isHeld = event.ctrlKey && !event.altKey
  const reloads = isHeld && event.shiftKey && event.key.toLowerCase() === 'r'
  if (ALONE.test(event.key) || reloads || (isHeld && HELD.test(event.key))) event.preventDefault()
}

/** Keeps the web view's menu, with Back, Reload and Print, from everything but fields and selected text. */
export function onContextMenu(event: MouseEvent): void {
  const field = event.target instanceof Element && event.target.closest('input, textarea')
  if (!field && getSelection()?.isCollapsed !== false) event.preventDefault()
}
