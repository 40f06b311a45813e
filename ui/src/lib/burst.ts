/** Enter that is pressed once more by an impatient hand, and would press what has the focus next. */
import { isEnter } from './typed'

/** Time in ms in which Enter belongs to the presses before it. */
const BURST = 400

let ignoring: AbortController | undefined

/** Ignores Enter for a moment, and for as long as it is held down. */
export function ignoreMoreEnters(
  target: Pick<Window, 'addEventListener'> = window,
  now = () => performance.now(),
): void {
  ignoring?.abort()
  const ends = new AbortController()
  ignoring = ends
  const until = now() + BURST
  const ignore = (event: KeyboardEvent) => {
    if (!isEnter(event)) return
    if (!event.repeat && now() >= until) return ends.abort()
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  target.addEventListener('keydown', ignore, { capture: true, signal: ends.signal })
}
