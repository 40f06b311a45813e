/** Figures of the vendor, and which kinds of operations make them old: whoever shows one reads it again. */
import { SvelteMap } from 'svelte/reactivity'
import type { OperationKind } from '../bindings/OperationKind'
import type { Touch } from '../bindings/Touch'
import { call } from './ipc'

export type Figure = 'customers' | 'totals' | 'records' | 'orders' | 'wallet'

const TOUCHED_BY: Record<OperationKind, readonly Figure[]> = {
  'place-and-pay': ['orders', 'wallet', 'totals'],
  recharge: ['customers', 'totals', 'records'],
  deduction: ['customers', 'totals', 'records'],
  create: ['customers'],
  // What the vendor shows nowhere makes no figure old.
  password: [],
  status: [],
}

/** Places are numbers of the journal's events: what was read at one does not know what came later. */
class Figures {
  /** Where the journal stands, as far as it was heard; below zero before that. */
  position = $state(-1)
  /** Where it stood when this connection was opened. */
  began = $state(-1)
  /** The newest event that touched a figure, or a customer's own. */
  private readonly touched = new SvelteMap<string, number>()
  /** The newest event of an operation that has ended since. */
  private readonly ended = new SvelteMap<Figure, number>()
  /** Rows of bulks count as ended with their bulk: thousands of them read once. */
  private readonly waiting = new Map<string, Map<Figure, number>>()
  private opening = 0

  /** Another connection has other figures. */
  forget(): void {
    this.opening++
    this.position = this.began = -1
    this.touched.clear()
    this.ended.clear()
    this.waiting.clear()
  }

  /** Hears what happened since. */
  async follow(): Promise<void> {
    const { opening } = this
    const { position, rows, openBulks } = await call('operations_touched', this.position)
    if (opening !== this.opening) return
    for (const row of rows) this.take(row, openBulks)
    for (const [bulk, figures] of this.waiting) {
      if (openBulks.includes(bulk)) continue
      this.waiting.delete(bulk)
      for (const [figure, at] of figures) raise(this.ended, figure, at)
    }
    if (this.began < 0) this.began = position
    this.position = Math.max(this.position, position)
  }

  private take({ kind, wasSent, hasEnded, target, bulk, at }: Touch, openBulks: string[]): void {
    if (!wasSent) return
    for (const figure of TOUCHED_BY[kind]) {
      raise(this.touched, figure, at)
      raise(this.touched, `${figure} ${target}`, at)
      if (bulk && openBulks.includes(bulk)) {
        const figures = this.waiting.get(bulk) ?? new Map<Figure, number>()
        this.waiting.set(bulk, figures)
        raise(figures, figure, at)
      } else if (hasEnded) raise(this.ended, figure, at)
    }
  }

  /** Whether something was sent that what was read at `seen` does not know. */
  isOld(figure: Figure, seen: number, target?: string): boolean {
    return (this.touched.get(target === undefined ? figure : `${figure} ${target}`) ?? -1) > seen
  }

  /** The end of an operation that what was read at `seen` does not know, if there is one: read it again. */
  due(figure: Figure, seen: number): number | null {
    const at = this.ended.get(figure) ?? -1
    return at > seen ? at : null
  }
}

function raise<K>(map: Map<K, number>, key: K, at: number): void {
  if (at > (map.get(key) ?? -1)) map.set(key, at)
}

export const figures = new Figures()

/** A figure as one view has read it. */
export class Reading {
  seen = $state(figures.position)
  readonly isOld = $derived.by(() => figures.isOld(this.figure, this.seen))
  readonly due = $derived.by(() => figures.due(this.figure, this.seen))

  constructor(private readonly figure: Figure) {}

  /** Begins to read. What it returns is called when the reading has come: what happened since makes it old again. */
  begin(): () => void {
    const seen = figures.position
    return () => {
      this.seen = seen
    }
  }

  /** Reads; nothing was read where there is no answer. */
  async run<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
    const done = this.begin()
    const answer = await read()
    if (answer !== undefined) done()
    return answer
  }
}
