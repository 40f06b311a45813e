/** An effect that names what it follows, and follows nothing else. */
import { untrack } from 'svelte'

type Options = {
  /** Runs so long, in ms, after the last change. */
  delay?: number
  /** Runs on changes alone, not at the beginning. */
  lazy?: boolean
}

/** Runs `run` now and whenever what `on` reads has changed; what `run` returns is done before the next run. */
export function watch<T>(on: () => T, run: (now: T) => unknown, { delay, lazy = false }: Options = {}): void {
  let idle = lazy
  $effect(() => {
    const now = on()
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
