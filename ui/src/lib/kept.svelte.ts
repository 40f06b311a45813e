/** State that outlives its view: a place is as it was left, until another connection opens. */
import type { Call } from './ipc'

type State<T> = new (call: Call) => T

export class Kept {
  private readonly all = new Map<State<unknown>, unknown>()
  private readonly ends: (() => void)[] = []

  /** Returns the one state of this class, made when it is first asked for. */
  of<T>(State: State<T>, call: Call): T {
    if (!this.all.has(State)) {
      // Under a root of its own: what a view owns is dead once the view is gone.
      const end = $effect.root(() => {
        this.all.set(State, new State(call))
      })
      this.ends.push(end)
    }
    return this.all.get(State) as T
  }

  /** Drops everything: what was kept belongs to another connection. */
  forget(): void {
    this.all.clear()
    for (const end of this.ends.splice(0)) end()
  }
}

export const kept = new Kept()
