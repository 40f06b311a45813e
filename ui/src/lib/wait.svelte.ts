/** One wait for the vendor, with a way out once it takes long. */

/** After this long, in milliseconds, a way out is offered. */
const LONG = 1500

export class Wait {
  busy = $state(false)
  long = $state(false)
  private way: AbortController | null = null

  /**
   * Runs the work; it is handed what stops it. A second run takes the place of the first, whose promise
   * never ends: whoever asked again is told by the second.
   */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const before = this.way
    const way = new AbortController()
    this.way = way
    before?.abort()
    this.busy = true
    this.long = false
    const timer = setTimeout(() => (this.long = this.way === way), LONG)
    try {
      const done = await work(way.signal)
      return this.isReplaced(way) ? await new Promise<never>(() => {}) : done
    } catch (thrown) {
      if (this.isReplaced(way)) return await new Promise<never>(() => {})
      throw thrown
    } finally {
      clearTimeout(timer)
      if (this.way === way) this.end()
    }
  }

  /** Because a person had enough. */
  stop(): void {
    const { way } = this
    this.end()
    way?.abort()
  }

  private isReplaced(way: AbortController): boolean {
    return this.way !== null && this.way !== way
  }

  private end(): void {
    this.way = null
    this.busy = false
    this.long = false
  }
}
