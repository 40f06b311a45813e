import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { part } from '../testing/program'
import { RowMenu } from './rowMenu.svelte'

let focused: number
let isSelected: boolean
beforeEach(() => {
  focused = 0
  isSelected = false
  vi.stubGlobal('DOMRect', class {})
  vi.stubGlobal('getSelection', () => ({ isCollapsed: !isSelected, containsNode: () => isSelected }))
  Object.assign(document, { activeElement: null, body: {} })
})
afterEach(() => vi.unstubAllGlobals())

function asked(): { event: MouseEvent; isPrevented: () => boolean } {
  let prevented = false
  const row = { focus: () => focused++ }
  const event = part<MouseEvent>({
    isTrusted: true,
    currentTarget: row as unknown as EventTarget,
    preventDefault: () => {
      prevented = true
    },
    stopPropagation: () => {},
  })
  return { event, isPrevented: () => prevented }
}

describe('the menu of a row', () => {
  it('opens instead of that of the web view, which stays for selected text', () => {
    const menu = new RowMenu()
    const actions = [{ id: 'open', label: 'Open', run: () => {} }]
    isSelected = true
    const selected = asked()
    menu.show(selected.event, actions)
    expect([menu.isOpen, selected.isPrevented()]).toEqual([false, false])
    isSelected = false
    const plain = asked()
    menu.show(plain.event, actions)
    expect([menu.isOpen, plain.isPrevented(), menu.actions.length]).toEqual([true, true, 1])
  })

  it('does what is chosen with the focus on the row, and not what cannot be done now', () => {
    const menu = new RowMenu()
    let done = 0
    menu.show(asked().event, [])
    expect(menu.isOpen).toBe(false)
    const run = () => {
      done += focused
    }
    menu.show(asked().event, [{ id: 'open', label: 'Open', run }])
    menu.choose({ id: 'open', label: 'Open', run, why: 'not now' })
    expect([done, focused]).toEqual([0, 0])
    menu.choose({ id: 'open', label: 'Open', run })
    expect(done).toBe(1)
  })

  it('gives the focus back unless a dialog has it', () => {
    const menu = new RowMenu()
    menu.show(asked().event, [{ id: 'open', label: 'Open', run: () => {} }])
    menu.closed()
    expect(focused).toBe(1)
    Object.assign(document, { activeElement: { closest: () => null } })
    menu.closed()
    expect(focused).toBe(1)
  })
})
