/** Restores scroll offsets when the user returns to a place. */
import type { Attachment } from 'svelte/attachments'
import { route } from './route.svelte'
import { watch } from './watch.svelte'

/** Keeps the scroll offset of an element under a unique name. */
export function keepsScroll(name: string): Attachment<HTMLElement> {
  return (element) => {
    const putBack = () => {
      const top = route.offsets.get(name)
      if (top === undefined) growing.disconnect()
      else element.scrollTop = top
    }
    // Rows may arrive after their view: only then is the element long enough.
    const growing = new MutationObserver(putBack)
    let isNew = true
    watch(
      () => route.visit,
      () => {
        // A new one is at its start. To say so would lay it out once more.
        if (!isNew) element.scrollTop = 0
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
