/** Where a purchase goes on: the field that comes next, or that lacks something. */
import { tick } from 'svelte'

/** Gives the focus to a control by its test id, once the page has settled. */
export function focusOn(testid: string | null): void {
  if (!testid) return
  void tick().then(() => document.querySelector<HTMLElement>(`[data-testid="${testid}"]`)?.focus())
}
