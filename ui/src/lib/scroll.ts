/** What is scrolled stands where it was when a place is gone back to. */
import type { Attachment } from 'svelte/attachments'
import { route } from './route.svelte'
import { watch } from './watch.svelte'

/** Keeps where an element is scrolled to, under a name of its own. */
export function keepsScroll(name: string): Attachment<HTMLElement> {
  return (element) => {
    const putBack = () => {
      const top = route.offsets.get(name)
      if (top === undefined) growing.disconnect()
      else element.scrollTop = top
    }
    // Rows may come later than their view: only then is the element long enough.
    const growing = new MutationObserver(putBack)
    watch(
      () => route.visit,
      () => {
        element.scrollTop = 0
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
