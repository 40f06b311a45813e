import { beforeEach, expect, it, vi } from 'vitest'
import menu from '../../../src-tauri/src/menu.rs?raw'
import { Program } from '../testing/program'

// The page as it is on a Mac.
Object.assign(navigator, { platform: 'MacIntel' })
const program = new Program()
const { KEYS, followMenu } = await import('./keys')
const { route } = await import('./route.svelte')

let isOpen = false
beforeEach(() => {
  isOpen = false
  Object.assign(document, { querySelector: () => (isOpen ? {} : null) })
  route.begin('overview')
  route.go({ place: 'buy' })
  route.dialog = null
})

it('has every key of the page and no other, with the letters that the list of keys shows', () => {
  const items = [...menu.matchAll(/\bKey\("([\w-]+)", "Cmd\+(.+?)"\)/g)]
  // The key is that of "=": the system knows no "+".
  const shown = (letters = '') => letters.replace('Shift+', 'Shift ').replace('=', '+')
  const inMenu = items.map(([, id, letters]) => `${id}: ⌘ ${shown(letters)}`)
  const inPage = KEYS.map((key) => `${key.id}: ${key.shown}`)
  // The menu closes the window itself, even if the page hangs.
  expect(menu).toContain('Some("Cmd+Q")')
  expect([...inMenu, 'quit: ⌘ Q'].sort()).toEqual(inPage.sort())
})

it('runs the key of an item that is clicked, as if it had been pressed', async () => {
  await followMenu()
  await program.tell('menu-chosen', 'back')
  expect(route.place).toBe('overview')
  await program.tell('menu-chosen', 'keys')
  expect(route.dialog).toBe('keys')
})

it('changes nothing under a dialog, except the size of the letters', async () => {
  isOpen = true
  const { session } = await import('./session.svelte')
  const zoom = vi.spyOn(session, 'zoomBy').mockImplementation(() => {})
  await program.tell('menu-chosen', 'back')
  expect(route.place).toBe('buy')
  await program.tell('menu-chosen', 'larger')
  expect(zoom).toHaveBeenCalledWith(10)
})

it('ignores an item that the page does not know', async () => {
  await program.tell('menu-chosen', 'menu-of-another-version')
  expect([route.place, route.dialog]).toEqual(['buy', null])
})
