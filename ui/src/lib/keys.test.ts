import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Boot } from '../bindings/Boot'
import { part } from '../testing/program'
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

describe('what is new here', () => {
  beforeEach(() => {
    session.boot = part<Boot>({ active: 'a' })
  })

  it('is a customer in Customers, an order in Orders, and elsewhere a purchase', () => {
    const begun = [
      ['customers', 'customers', 'create-customer'],
      ['orders', 'orders', 'add-order'],
      ['overview', 'buy', 'find-place'],
      ['buy', 'buy', 'find-place'],
    ] as const
    for (const [from, to, what] of begun) {
      route.begin(from)
      press('n', { ctrlKey: true })
      expect([from, route.place, route.task]).toEqual([from, to, { what }])
    }
  })

  it('is a buyer among the buyers of My IPs and on the page of one, and a purchase in their list', () => {
    const views = [
      [{ what: 'buyers' }, 'ips', 'create-buyer'],
      [{ what: 'buyer', id: 1 }, 'ips', 'create-buyer'],
      [{ what: 'list' }, 'buy', 'find-place'],
    ] as const
    for (const [view, place, what] of views) {
      route.go({ place: 'ips', view })
      press('n', { ctrlKey: true })
      expect([view.what, route.place, route.task]).toEqual([view.what, place, { what }])
    }
  })

  it('is nothing while no connection is open', () => {
    session.boot = part<Boot>({ active: null })
    route.begin('settings')
    press('n', { ctrlKey: true })
    expect([route.place, route.task]).toEqual(['settings', null])
  })
})

describe('the search', () => {
  it('is the field of the view, else the palette', () => {
    let entered = 0
    const field = { focus: () => entered++ }
    let fields: object[] = [field]
    const querySelector = (wanted: string) => (wanted.includes('data-search') ? (fields[0] ?? null) : null)
    Object.assign(document, { querySelector })
    press('f', { ctrlKey: true })
    expect([entered, route.dialog]).toEqual([1, null])
    fields = []
    press('F3', {})
    expect([entered, route.dialog]).toEqual([1, 'palette'])
  })
})

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
