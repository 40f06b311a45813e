/** State that outlives its view, so that places keep their state until another account is opened. */
import type { Call } from './ipc'

type State<T> = new (call: Call) => T

export class Kept {
  /** Counts how often everything was dropped: views follow it and begin again. */
  era = $state(0)
  private readonly all = new Map<State<unknown>, unknown>()
  private readonly ends: (() => void)[] = []

  /** Returns the only instance of this class, created on first use. */
  of<T>(State: State<T>, call: Call): T {
    if (!this.all.has(State)) {
      // It has its own effect root: effects that belong to a view end with the view.
      const end = $effect.root(() => {
        this.all.set(State, new State(call))
      })
      this.ends.push(end)
    }
    return this.all.get(State) as T
  }

  /** Drops everything, because another account was opened or practice was reset. */
  forget(): void {
    this.era++
    this.all.clear()
    for (const end of this.ends.splice(0)) end()
  }
}

export const kept = new Kept()
