import { beforeEach, describe, expect, it, vi } from 'vitest'
import { KEYS, onKey, onMouse } from './keys'
import { route } from './route.svelte'
import { session } from './session.svelte'

let isOpen: boolean
beforeEach(() => {
  isOpen = false
  Object.assign(document, { querySelector: () => (isOpen ? {} : null) })
  route.begin('overview')
  route.go({ place: 'buy' })
  route.dialog = null
})

/** Presses a key. Returns whether it reached neither the focused control nor the web view. */
function press(key: string, held: Partial<KeyboardEvent>): boolean {
  let [prevented, stopped] = [false, false]
  const event = { key, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...held }
  const ways = { preventDefault: () => (prevented = true), stopPropagation: () => (stopped = true) }
  onKey(Object.assign(event, ways) as unknown as KeyboardEvent)
  expect(stopped).toBe(prevented)
  return stopped
}

describe('the keys', () => {
  it('go back and forward, by the mouse too', () => {
    expect(press('ArrowLeft', { altKey: true })).toBe(true)
    expect(route.place).toBe('overview')
    press('ArrowRight', { altKey: true })
    expect(route.place).toBe('buy')
    onMouse({ button: 3, preventDefault: () => {} } as MouseEvent)
    expect(route.place).toBe('overview')
  })

  it('leave a word alone that is jumped over while typing', () => {
    expect(press('ArrowLeft', { altKey: true, shiftKey: true })).toBe(false)
    expect(press('ArrowLeft', { ctrlKey: true })).toBe(false)
    expect(press('k', {})).toBe(false)
    expect([route.place, route.dialog]).toEqual(['buy', null])
  })

  it('go nowhere and open nothing while a dialog is open', () => {
    isOpen = true
    const ctrlKey = true
    for (const [key, held] of [
      ['ArrowLeft', { altKey: true }],
      [',', { ctrlKey }],
      ['k', { ctrlKey }],
      ['?', { ctrlKey, shiftKey: true }],
    ] as const)
      expect([key, press(key, held), route.place, route.dialog]).toEqual([key, true, 'buy', null])
    onMouse({ button: 3, preventDefault: () => {} } as MouseEvent)
    expect(route.place).toBe('buy')
  })

  it('read everything again with F5 too, which reloads nothing', () => {
    const refresh = vi.spyOn(session, 'refresh').mockImplementation(() => {})
    expect([press('F5', {}), press('r', { ctrlKey: true })]).toEqual([true, true])
    expect(refresh).toHaveBeenCalledTimes(2)
  })

  it('are all in their list, Back and Forward too', () => {
    const shown = KEYS.map((key) => `${key.id} ${key.shown}`)
    expect(shown).toContain('back Alt ←')
    expect(shown).toContain('forward Alt →')
  })
})
