/** Figures of the vendor, and the kinds of operations that make them old, so that views know when to read again. */
import { SvelteMap } from 'svelte/reactivity'
import type { OperationKind } from '../bindings/OperationKind'
import type { Touch } from '../bindings/Touch'
import { call } from './ipc'

/** Age, in ms, from which the customers are read again when they are shown. */
export const OLD = 60_000

export type Figure = 'customers' | 'totals' | 'records' | 'orders' | 'wallet'

const TOUCHED_BY: Record<OperationKind, readonly Figure[]> = {
  'place-and-pay': ['orders', 'wallet', 'totals'],
  renew: ['orders', 'wallet'],
  recharge: ['customers', 'totals', 'records'],
  deduction: ['customers', 'totals', 'records'],
  create: ['customers'],
  // The vendor shows neither passwords nor statuses, so no figure becomes old.
  password: [],
  status: [],
}

/** Positions are numbers of journal events: a figure read at one does not include later events. */
class Figures {
  /** The last known position of the journal; negative until one is known. */
  position = $state(-1)
  /** The journal's position when this connection was opened; negative until it is known. */
  began = $state(-1)
  /** The newest event that touched a figure, by figure or by figure and customer. */
  private readonly touched = new SvelteMap<string, number>()
  /** The newest event that ended an operation, by figure. */
  private readonly ended = new SvelteMap<Figure, number>()
  /** Events of running bulks. They count as ended with their bulk, so that thousands of rows cause one read. */
  private readonly waiting = new Map<string, Map<Figure, number>>()
  private opening = 0

  /** Forgets the figures of the previous connection. */
  forget(): void {
    this.opening++
    this.position = this.began = -1
    this.touched.clear()
    this.ended.clear()
    this.waiting.clear()
  }

  /** Takes in the events since the last call. */
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

  /** Whether an operation was sent that a figure read at `seen` does not include. */
  isOld(figure: Figure, seen: number, target?: string): boolean {
    return (this.touched.get(target === undefined ? figure : `${figure} ${target}`) ?? -1) > seen
  }

  /** The end of an operation after `seen`, which means that the figure has to be read again; null: there is none. */
  due(figure: Figure, seen: number): number | null {
    const at = this.ended.get(figure) ?? -1
    return at > seen ? at : null
  }
}

function raise<K>(map: Map<K, number>, key: K, at: number): void {
  if (at > (map.get(key) ?? -1)) map.set(key, at)
}

export const figures = new Figures()

/** A figure as read by one view. */
export class Reading {
  seen = $state(figures.position)
  readonly isOld = $derived.by(() => figures.isOld(this.figure, this.seen))
  readonly due = $derived.by(() => figures.due(this.figure, this.seen))

  constructor(private readonly figure: Figure) {}

  /** Begins a read. Call the returned function when it has arrived: anything that happened meanwhile makes it old. */
  begin(): () => void {
    const seen = figures.position
    return () => {
      this.seen = seen
    }
  }

  /** Runs a read, which counts only if it returns an answer. */
  async run<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
    const done = this.begin()
    const answer = await read()
    if (answer !== undefined) done()
    return answer
  }
}
