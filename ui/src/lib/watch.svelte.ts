/** An effect that names what it follows, and follows nothing else. */
import { untrack } from 'svelte'

type Options = {
  /** Runs so long, in ms, after the last change. */
  delay?: number
  /** Runs on changes alone, not at the beginning. */
  lazy?: boolean
}

/** Runs `run` now and whenever what `on` returns has changed; what `run` returns is done before the next run. */
export function watch<T>(on: () => T, run: (now: T) => unknown, { delay, lazy = false }: Options = {}): void {
  let idle = lazy
  let last: { value: T } | undefined
  // An object that is read again, with the same id in it, is no change for whoever follows the id.
  const value = $derived.by(() => {
    const now = on()
    if (!last || !isSame(last.value, now)) last = { value: now }
    return last
  })
  $effect(() => {
    const { value: now } = value
    if (idle) {
      idle = false
      return
    }
    if (delay === undefined) {
      const undo = untrack(() => run(now))
      return typeof undo === 'function' ? () => void undo() : undefined
    }
    const waiting = setTimeout(() => untrack(() => run(now)), delay)
    return () => clearTimeout(waiting)
  })
}

/** Whether two values, or the items of two lists, are the very same. A list that is empty again was read anew. */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return Object.is(one, other)
  const { length } = one
  return length > 0 && length === other.length && one.every((item, at) => Object.is(item, other[at]))
}
