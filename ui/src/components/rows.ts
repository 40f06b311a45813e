/**
 * Windows of a long list, each read once and kept for a while. A row that was not read yet is blank.
 */

/** Rows in a window. */
export const WINDOW = 200
/** Number of windows kept. */
const KEPT = 50

export class Windows<T> {
  private readonly kept = new Map<number, T[]>()
  private readonly asked = new Set<number>()

  constructor(
    readonly count: number,
    private readonly read: (first: number, count: number) => Promise<T[]>,
    private readonly arrived: () => void,
    private readonly failed: (thrown: unknown) => void = () => {},
    /** The first rows, if they arrived with the count. */
    private readonly begin: readonly T[] = [],
  ) {}

  /** Returns the row at an index; `undefined`: it was not read yet. */
  at(place: number): T | undefined {
    return this.kept.get(Math.floor(place / WINDOW))?.[place % WINDOW] ?? this.begin[place]
  }

  /** Reads the rows in view, and with `onwards` the next window in the scroll direction (0: none). */
  need(first: number, last: number, onwards: 1 | 0 | -1): void {
    // While the user types, the first screen is enough.
    if (Math.min(last, this.count) <= this.begin.length) return
    // While the user jumps, one window is read at a time: after it, the current one.
    if (onwards === 0 && this.asked.size > 0) return
    const from = Math.floor(Math.max(0, first) / WINDOW)
    const to = Math.floor(Math.min(this.count - 1, last) / WINDOW)
    for (let window = from; window <= to; window++) void this.bring(window)
    const next = onwards > 0 ? to + 1 : from - 1
    if (onwards !== 0 && next >= 0 && next * WINDOW < this.count) void this.bring(next)
  }

  private async bring(window: number): Promise<void> {
    const known = this.kept.get(window)
    if (known) {
      // The least recently used window is dropped first.
      this.kept.delete(window)
      this.kept.set(window, known)
      return
    }
    if (this.asked.has(window)) return
    this.asked.add(window)
    try {
      const rows = await this.read(window * WINDOW, WINDOW)
      this.kept.set(window, rows)
      const [oldest] = this.kept.keys()
      if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest)
      this.arrived()
    } catch (thrown) {
      this.failed(thrown)
    } finally {
      this.asked.delete(window)
    }
  }
}

/** The largest scroll height, in px, that is exact in the web view. Longer lists are scaled to it. */
const TALLEST = 8_000_000

/** Converts between offsets in a list and in its scroll height. */
export class Scale {
  readonly height: number
  private readonly real: number

  constructor(
    count: number,
    readonly row: number,
    private readonly view: number,
  ) {
    this.real = count * row
    this.height = Math.min(this.real, TALLEST)
  }

  /** Whether nothing is scaled down. */
  get isWhole(): boolean {
    return this.height === this.real
  }

  /** Returns the offset in the list, in px, for a scroll offset. */
  offset(scrolled: number): number {
    const room = this.height - this.view
    return room <= 0 ? 0 : (Math.min(scrolled, room) / room) * Math.max(0, this.real - this.view)
  }

  /** Returns the scroll offset, in px, for an offset in the list. */
  scrolled(offset: number): number {
    const room = this.real - this.view
    return room <= 0 ? 0 : (Math.min(Math.max(0, offset), room) / room) * Math.max(0, this.height - this.view)
  }
}
