/** Restores scroll offsets when the user returns to a place. */
import type { Attachment } from 'svelte/attachments'
import { route } from './route.svelte'
import { watch } from './watch.svelte'

/**
 * Keeps the scroll offset of an element under a unique name. One that is at its top and stays there is left alone: each
 * write lays the page out at once, before it is whole.
 */
export function keepsScroll(name: string): Attachment<HTMLElement> {
  return (element) => {
    const putBack = () => {
      const top = route.offsets.get(name)
      if (!top) growing.disconnect()
      else element.scrollTop = top
    }
    // Rows may arrive after their view: only then is the element long enough.
    const growing = new MutationObserver(putBack)
    let isNew = true
    watch(
      () => route.visit,
      () => {
        if (!isNew && route.scrolled.has(name)) element.scrollTop = 0
        isNew = false
        growing.observe(element, { subtree: true, childList: true, attributeFilter: ['style'] })
        putBack()
      },
    )
    const unregister = route.scrolls(name, () => element.scrollTop)
    return () => {
      growing.disconnect()
      unregister()
    }
  }
}
