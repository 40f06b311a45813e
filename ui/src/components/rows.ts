/**
 * Windows of a long list, each read once and kept for a while. A place in the list is only a number: what
 * is not read yet is a blank row.
 */

/** Rows of a window. */
export const WINDOW = 200
/** Windows kept. */
const KEPT = 50

export class Windows<T> {
  private readonly kept = new Map<number, T[]>()
  private readonly asked = new Set<number>()

  constructor(
    readonly count: number,
    private readonly read: (first: number, count: number) => Promise<T[]>,
    private readonly arrived: () => void,
    private readonly failed: (thrown: unknown) => void = () => {},
    /** The first rows, where they came with the count. */
    private readonly begin: readonly T[] = [],
  ) {}

  /** The row at a place, if it is there. */
  at(place: number): T | undefined {
    return this.kept.get(Math.floor(place / WINDOW))?.[place % WINDOW] ?? this.begin[place]
  }

  /** Brings in what a view shows, and with `onwards` the window beside it in the direction of travel. */
  need(first: number, last: number, onwards: 1 | 0 | -1): void {
    // What is typed from letter to letter needs no more than the first screen.
    if (Math.min(last, this.count) <= this.begin.length) return
    // Who jumps about gets one answer at a time: when it is here, the place of then is asked for.
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
      // The least recently used goes first.
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

/** Scroll heights above this are not exact in the web view: a longer list shares it. */
const TALLEST = 8_000_000

/** Between places in a list and the pixels of its scroll space. */
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

  /** Nothing is shortened. */
  get isWhole(): boolean {
    return this.height === this.real
  }

  /** How far down the whole list is, in its own pixels, when the scroll space stands there. */
  offset(scrolled: number): number {
    const room = this.height - this.view
    return room <= 0 ? 0 : (Math.min(scrolled, room) / room) * Math.max(0, this.real - this.view)
  }

  /** Where the scroll space has to stand for that. */
  scrolled(offset: number): number {
    const room = this.real - this.view
    return room <= 0 ? 0 : (Math.min(Math.max(0, offset), room) / room) * Math.max(0, this.height - this.view)
  }
}
