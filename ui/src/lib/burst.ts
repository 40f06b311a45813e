/** Enter that is pressed once more by an impatient hand, and would press what has the focus next. */
import { isEnter } from './typed'

/** Time in ms in which Enter belongs to the press before it. */
const BURST = 400

let ignoring: AbortController | undefined

/** Ignores Enter until it has rested for a moment, another key is pressed, or a pointer is used. */
export function ignoreMoreEnters(
  target: Pick<Window, 'addEventListener'> = window,
  now = () => performance.now(),
): void {
  ignoring?.abort()
  const ends = new AbortController()
  ignoring = ends
  let until = now() + BURST
  const ignore = (event: KeyboardEvent) => {
    if (!isEnter(event) || (!event.repeat && now() >= until)) return ends.abort()
    until = now() + BURST
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const options = { capture: true, signal: ends.signal }
  target.addEventListener('keydown', ignore, options)
  target.addEventListener('pointerdown', () => ends.abort(), options)
}
