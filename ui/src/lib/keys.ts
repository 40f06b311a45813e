/** The keys of the program, as data: the handler and the list of keys read the same. */
import { type Place, route } from './route.svelte'
import { session } from './session.svelte'

type Id = 'palette' | 'search' | 'new' | 'refresh' | 'settings' | 'keys' | 'larger' | 'smaller' | 'normal'
export type Key = { id: Id; shown: string; fits: (event: KeyboardEvent) => boolean; run: () => void }

const mac = navigator.platform.startsWith('Mac')
const main = mac ? '⌘' : 'Ctrl'
const plain = (letter: string) => (event: KeyboardEvent) =>
  !event.shiftKey && event.key.toLowerCase() === letter
const go = (place: Place) => () => {
  if (place === 'settings' || session.boot?.active) route.go({ place: place })
}

/** The first visible field that searches, in whatever view is open. */
function focusSearch(): void {
  const field = document.querySelector<HTMLElement>('[data-testid$="-search"]:not([disabled])')
  field?.focus()
}

export const KEYS: Key[] = [
  { id: 'palette', shown: `${main} K`, fits: plain('k'), run: () => (route.dialog = 'palette') },
  { id: 'search', shown: `${main} F`, fits: plain('f'), run: focusSearch },
  { id: 'new', shown: `${main} N`, fits: plain('n'), run: go('buy') },
  { id: 'refresh', shown: `${main} R`, fits: plain('r'), run: () => session.refresh() },
  { id: 'settings', shown: `${main} ,`, fits: plain(','), run: go('settings') },
  {
    id: 'keys',
    shown: `${main} Shift /`,
    fits: (event) => event.shiftKey && ['/', '?'].includes(event.key),
    run: () => (route.dialog = 'keys'),
  },
  {
    id: 'larger',
    shown: `${main} +`,
    fits: (event) => ['+', '='].includes(event.key),
    run: () => session.zoomBy(10),
  },
  { id: 'smaller', shown: `${main} -`, fits: plain('-'), run: () => session.zoomBy(-10) },
  { id: 'normal', shown: `${main} 0`, fits: plain('0'), run: () => session.zoomBy(0) },
]

/** Back and Forward as this system presses them; every mouse with more buttons does the same. */
const BACK = mac ? '[' : 'ArrowLeft'
const FORWARD = mac ? ']' : 'ArrowRight'
const BACK_BUTTON = 3
const FORWARD_BUTTON = 4

/** Nothing behind an open dialog moves. */
const isCovered = () => document.querySelector('[role="dialog"]') !== null

function onStep(event: KeyboardEvent): boolean {
  const held = mac ? event.metaKey && !event.altKey : event.altKey && !event.metaKey
  if (!held || event.ctrlKey || event.shiftKey) return false
  if (event.key !== BACK && event.key !== FORWARD) return false
  event.preventDefault()
  step(event.key === BACK ? 'back' : 'forward')
  return true
}

function step(way: 'back' | 'forward'): void {
  if (!isCovered()) route[way]()
}

/** Goes back and forward by the mouse's own buttons. */
export function onMouse(event: MouseEvent): void {
  if (event.button !== BACK_BUTTON && event.button !== FORWARD_BUTTON) return
  event.preventDefault()
  step(event.button === BACK_BUTTON ? 'back' : 'forward')
}

/** Runs the key that fits. No single letters: who types is never interrupted. */
export function onKey(event: KeyboardEvent): void {
  if (onStep(event)) return
  if (!(mac ? event.metaKey : event.ctrlKey) || event.altKey) return
  const key = KEYS.find((one) => one.fits(event))
  if (!key) return
  event.preventDefault()
  key.run()
}
