/**
 * How much room an element has, as words in its `data-room` that styles ask for: `[data-room~='narrow']`.
 *
 * Container queries would need no script. But while two containers were on screen, WebKitGTK no longer applied the media
 * queries of a window that became wider or narrower.
 */
import type { Attachment } from 'svelte/attachments'

/** Each word with the greatest width, in px, of which it is true. */
const ROOMS = { narrow: 936, narrower: 800, least: 460 }

/** The words for a width in px, such as `narrow narrower`. */
export function roomOf(width: number): string {
  const words = Object.entries(ROOMS).filter(([, most]) => width <= most)
  return words.map(([word]) => word).join(' ')
}

/** Keeps `data-room` true. It is set after the layout and before the frame. */
export const measuresRoom: Attachment<HTMLElement> = (element) => {
  const observer = new ResizeObserver(() => {
    const room = roomOf(element.clientWidth)
    // Each change of it is a second layout.
    if ((element.dataset.room ?? '') !== room) element.dataset.room = room
  })
  observer.observe(element)
  return () => observer.disconnect()
}
