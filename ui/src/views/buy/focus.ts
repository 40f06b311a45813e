/** Moves the focus to the next field of a purchase, or to one that lacks something. */
import { tick } from 'svelte'

/** Focuses a control by its test id once the page is updated. */
export function focusOn(testid: string | null): void {
  if (!testid) return
  void tick().then(() => document.querySelector<HTMLElement>(`[data-testid="${testid}"]`)?.focus())
}
