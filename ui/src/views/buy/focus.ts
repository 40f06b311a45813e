/** Moves the focus to the next step of a purchase, or to the field that lacks something. */
import { tick } from 'svelte'
import { isFocusNowhere } from '../../lib/focus'
import type { Basket } from './basket.svelte'
import type { Strategy } from './lines'

/** The test id of the field that begins the next line. */
const BEGINS: Record<Strategy, string> = { '1': 'buy-search', '2': 'buy-cidr', '3': 'buy-ips' }

/** Focuses a control by its test id once the page is updated, and shows all of its field. `at`: which one of several. */
export function focusOn(testid: string | null, at = 0): void {
  if (!testid) return
  void tick().then(() => {
    const control = find(testid, at)
    control?.focus()
    if (control instanceof HTMLInputElement) control.select()
    control?.closest('.field, .choice')?.scrollIntoView({ block: 'nearest' })
  })
}

function find(testid: string, at: number): HTMLElement | undefined {
  // Beside choices that cannot be read there is a field to type, which shows what is wrong.
  const typed = document.querySelector<HTMLElement>(`[data-testid="${testid}-typed"]`)
  const found = typed ?? document.querySelectorAll<HTMLElement>(`[data-testid="${testid}"]`)[at]
  // A group of radio buttons takes no focus itself.
  return found?.querySelector<HTMLElement>('[role="radio"]') ?? found
}

/** Whether the focus is on this control or nowhere, so that it may be moved. */
export function isFocusFree(testid = ''): boolean {
  return isFocusNowhere() || (document.activeElement?.matches(`[data-testid="${testid}"]`) ?? false)
}

/** Focuses what a place that was found still lacks: a narrower one, the number of IPs, or the IPs themselves. */
export function focusAfterPlace(basket: Basket): void {
  if (!isFocusFree('buy-search')) return
  focusOn(basket.strategy === '1' ? (basket.form.lacks ?? 'buy-quantity') : BEGINS[basket.strategy])
}

/** Focuses the field that begins the next line. */
export function focusNextLine({ strategy }: Basket): void {
  focusOn(BEGINS[strategy])
}

/** Adds what is chosen. Focuses the field of the next line, or the field that lacks something. */
export function addLine(basket: Basket): void {
  if (basket.add()) focusNextLine(basket)
  else focusOn(basket.form.lacks)
}

/** Removes a line and focuses the one that takes its place. */
export function removeLine(basket: Basket, key: number): void {
  const at = basket.lines.findIndex((line) => line.key === key)
  basket.removeLine(key)
  const last = basket.lines.length - 1
  if (last < 0) focusNextLine(basket)
  else focusOn('buy-line-remove', Math.min(at, last))
}
