/** The keys of the program, as data: the handler and the list of keys read the same. */
import { app, type Place } from './app.svelte'

export type Key = { id: string; shown: string; fits: (event: KeyboardEvent) => boolean; run: () => void }

const mac = navigator.platform.startsWith('Mac')
const main = mac ? '⌘' : 'Ctrl'
const plain = (letter: string) => (event: KeyboardEvent) =>
  !event.shiftKey && event.key.toLowerCase() === letter
const go = (place: Place) => () => {
  if (place === 'settings' || app.boot?.active) app.place = place
}

/** The first visible field that searches, in whatever view is open. */
function focusSearch(): void {
  const field = document.querySelector<HTMLElement>('[data-testid$="-search"]:not([disabled])')
  field?.focus()
}

export const KEYS: Key[] = [
  { id: 'palette', shown: `${main} K`, fits: plain('k'), run: () => (app.dialog = 'palette') },
  { id: 'search', shown: `${main} F`, fits: plain('f'), run: focusSearch },
  { id: 'new', shown: `${main} N`, fits: plain('n'), run: go('buy') },
  { id: 'refresh', shown: `${main} R`, fits: plain('r'), run: () => app.refresh() },
  { id: 'settings', shown: `${main} ,`, fits: plain(','), run: go('settings') },
  {
    id: 'keys',
    shown: `${main} Shift /`,
    fits: (event) => event.shiftKey && ['/', '?'].includes(event.key),
    run: () => (app.dialog = 'keys'),
  },
  {
    id: 'larger',
    shown: `${main} +`,
    fits: (event) => ['+', '='].includes(event.key),
    run: () => app.zoomBy(10),
  },
  { id: 'smaller', shown: `${main} -`, fits: plain('-'), run: () => app.zoomBy(-10) },
  { id: 'normal', shown: `${main} 0`, fits: plain('0'), run: () => app.zoomBy(0) },
]

/** Runs the key that fits. No single letters: who types is never interrupted. */
export function onKey(event: KeyboardEvent): void {
  if (!(mac ? event.metaKey : event.ctrlKey) || event.altKey) return
  const key = KEYS.find((one) => one.fits(event))
  if (!key) return
  event.preventDefault()
  key.run()
}
