/** An effect with named dependencies and no others. */
import { untrack } from 'svelte'

type Options = {
  /** Time between the last change and the run, in ms. */
  delay?: number
  /** Runs on changes only, not at the beginning. */
  lazy?: boolean
}

/** Calls `run` now and whenever the result of `on` changes; a function that it returns is called before the next run. */
export function watch<T>(on: () => T, run: (now: T) => unknown, { delay, lazy = false }: Options = {}): void {
  let idle = lazy
  let last: { value: T } | undefined
  // An object that was read again with the same id is not a change to an effect that follows the id.
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

/** Whether two values, or all items of two lists, are identical. Two empty lists differ: the list was read again. */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return Object.is(one, other)
  const { length } = one
  return length > 0 && length === other.length && one.every((item, at) => Object.is(item, other[at]))
}
