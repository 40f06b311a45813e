/** The shortcuts of the program, as data that both the handler and the list of keys read. */
import { call, onMenuChosen } from './ipc'
import { type IpsView, route } from './route.svelte'
import { session } from './session.svelte'
import { ignoreBrowserKey, mac } from './webView'

type Id =
  | 'palette'
  | 'search'
  | 'new'
  | 'refresh'
  | 'back'
  | 'forward'
  | 'settings'
  | 'keys'
  | 'larger'
  | 'smaller'
  | 'normal'
  | 'quit'
export type Key = {
  id: Id
  shown: string
  fits: (event: KeyboardEvent) => boolean
  run: () => void
  /** Works while a dialog is open too. */
  over?: true
}

const main = mac ? '⌘' : 'Ctrl'
const held = (event: KeyboardEvent) => (mac ? event.metaKey : event.ctrlKey) && !event.altKey
/** The main modifier and one of these keys, with or without Shift. */
const any = (keys: string[]) => (event: KeyboardEvent) => held(event) && keys.includes(event.key)
const plain = (key: string) => (event: KeyboardEvent) =>
  held(event) && !event.shiftKey && event.key.toLowerCase() === key
const alone = (key: string) => (event: KeyboardEvent) =>
  event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
const alt = (key: string) => (event: KeyboardEvent) =>
  event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.key === key

/** Enters the search field of the current view; without one, the palette. */
function search(): void {
  const field = document.querySelector<HTMLElement>('[data-search]:not([disabled])')
  if (field) field.focus()
  else route.dialog = 'palette'
}

/** The views of My IPs that are about buyers. */
const BUYERS: IpsView['what'][] = ['buyers', 'buyer']

/** Begins what is new here: a customer, a buyer, an order that was placed elsewhere, else a purchase. */
function beginNew(): void {
  if (!session.boot?.active) return
  if (route.place === 'customers')
    route.go({ place: 'customers', view: { what: 'list' } }, { what: 'create-customer' })
  else if (route.place === 'orders') route.go({ place: 'orders' }, { what: 'add-order' })
  else if (route.place === 'ips' && BUYERS.includes(route.ips.what))
    route.go({ place: 'ips', view: { what: 'buyers' } }, { what: 'create-buyer' })
  else route.go({ place: 'buy' }, { what: 'find-place' })
}

export const KEYS: Key[] = [
  { id: 'palette', shown: `${main} K`, fits: plain('k'), run: () => (route.dialog = 'palette') },
  {
    id: 'search',
    shown: `${main} F`,
    fits: (event) => plain('f')(event) || alone('F3')(event),
    run: search,
  },
  { id: 'new', shown: `${main} N`, fits: plain('n'), run: beginNew },
  {
    id: 'refresh',
    shown: `${main} R`,
    fits: (event) => plain('r')(event) || alone('F5')(event),
    run: () => session.refresh(),
  },
  // The system's own keys for Back and Forward. The extra buttons of a mouse do the same.
  {
    id: 'back',
    shown: mac ? '⌘ [' : 'Alt ←',
    fits: mac ? plain('[') : alt('ArrowLeft'),
    run: () => route.back(),
  },
  {
    id: 'forward',
    shown: mac ? '⌘ ]' : 'Alt →',
    fits: mac ? plain(']') : alt('ArrowRight'),
    run: () => route.forward(),
  },
  { id: 'settings', shown: `${main} ,`, fits: plain(','), run: () => route.go({ place: 'settings' }) },
  {
    id: 'keys',
    shown: `${main} Shift /`,
    fits: (event) => event.shiftKey && any(['/', '?'])(event),
    run: () => (route.dialog = 'keys'),
  },
  { id: 'larger', shown: `${main} +`, fits: any(['+', '=']), run: () => session.zoomBy(10), over: true },
  { id: 'smaller', shown: `${main} -`, fits: plain('-'), run: () => session.zoomBy(-10), over: true },
  { id: 'normal', shown: `${main} 0`, fits: plain('0'), run: () => session.zoomBy(0), over: true },
  {
    id: 'quit',
    shown: `${main} Q`,
    fits: plain('q'),
    run: () => void call('close_window', null),
    over: true,
  },
]

/** Returns how a key is written, as in `Alt ←`. */
export const shownKey = (id: Id) => KEYS.find((key) => key.id === id)?.shown ?? ''

const BACK_BUTTON = 3
const FORWARD_BUTTON = 4

/** Whether a dialog is open, under which nothing may change. */
export const isCovered = () => document.querySelector('[role="dialog"]') !== null

/** Goes back and forward with the extra buttons of a mouse. */
export function onMouse(event: MouseEvent): void {
  if (event.button !== BACK_BUTTON && event.button !== FORWARD_BUTTON) return
  event.preventDefault()
  if (!isCovered()) route[event.button === BACK_BUTTON ? 'back' : 'forward']()
}

/**
 * Runs the shortcut that fits. None is a single letter, so typing is never interrupted. It has to hear keys before the
 * focused control does: a radio button takes an arrow for its own even while Alt is held.
 */
export function onKey(event: KeyboardEvent): void {
  const key = KEYS.find((one) => one.fits(event))
  if (!key) {
    ignoreBrowserKey(event)
    return
  }
  // The web view must not act on the key either, such as by reloading the page.
  event.preventDefault()
  event.stopPropagation()
  run(key)
}

/** Runs a key, unless a dialog is open that it may not reach. */
function run(key: Key): void {
  if (key.over || !isCovered()) key.run()
}

/** Runs the keys whose items in the system's menu bar are clicked. */
export async function followMenu(): Promise<void> {
  await onMenuChosen((id) => {
    const key = KEYS.find((one) => one.id === id)
    if (key) run(key)
  })
}
