/** Waiting for the vendor, with a way out once it takes long. */

/** After this long, in milliseconds, a way out is offered. */
const LONG = 1500

export class Waiting {
  busy = $state(false)
  long = $state(false)
  private way: AbortController | null = null

  /** Runs the work; it is handed what stops it. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.stop()
    const way = new AbortController()
    this.way = way
    this.busy = true
    const timer = setTimeout(() => (this.long = this.way === way), LONG)
    try {
      return await work(way.signal)
    } finally {
      clearTimeout(timer)
      if (this.way === way) this.end()
    }
  }

  stop(): void {
    this.way?.abort()
    this.end()
  }

  private end(): void {
    this.way = null
    this.busy = false
    this.long = false
  }
}
