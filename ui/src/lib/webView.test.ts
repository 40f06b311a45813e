import { afterEach, describe, expect, it, vi } from 'vitest'
import { ignoreBrowserKey, onContextMenu } from './webView'

function isKept(key: string, held: Partial<KeyboardEvent> = {}): boolean {
  const preventDefault = vi.fn()
  const event = {
    key,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    shiftKey: false,
    preventDefault,
    ...held,
  }
  ignoreBrowserKey(event as unknown as KeyboardEvent)
  return preventDefault.mock.calls.length > 0
}

describe('the web view', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('does not print, save, search again or reload the page', () => {
    for (const key of ['p', 'P', 's', 'o', 'u', 'g', 'h', 'j'])
      expect([key, isKept(key, { ctrlKey: true })]).toEqual([key, true])
    for (const key of ['F3', 'F5', 'F7', 'BrowserRefresh', 'BrowserSearch'])
      expect([key, isKept(key)]).toEqual([key, true])
    expect(isKept('F5', { ctrlKey: true })).toBe(true)
    expect(isKept('R', { ctrlKey: true, shiftKey: true })).toBe(true)
  })

  it('goes on copying, pasting, selecting and undoing, and gets every letter that is typed', () => {
    for (const key of ['a', 'c', 'v', 'x', 'y', 'z', 'ArrowLeft', 'Backspace'])
      expect([key, isKept(key, { ctrlKey: true })]).toEqual([key, false])
    for (const key of ['p', 's', 'R', 'Enter', 'Tab', 'F1']) expect([key, isKept(key)]).toEqual([key, false])
    // On a keyboard with AltGr some letters are typed with Ctrl and Alt.
    expect(isKept('s', { ctrlKey: true, altKey: true })).toBe(false)
  })

  it('shows its menu in fields and on selected text alone', () => {
    const shows = (isField: boolean, isSelected: boolean) => {
      class Target {
        closest = () => (isField ? this : null)
      }
      vi.stubGlobal('Element', Target)
      vi.stubGlobal('getSelection', () => ({ isCollapsed: !isSelected }))
      const preventDefault = vi.fn()
      onContextMenu({ target: new Target(), preventDefault } as unknown as MouseEvent)
      return preventDefault.mock.calls.length === 0
    }
    expect([shows(false, false), shows(true, false), shows(false, true)]).toEqual([false, true, true])
  })
})
