/**
 * Calls to the program: whether one is pending, what went wrong, and whether it takes so long that it can be stopped.
 * The latest call wins: the answer to an earlier one is dropped.
 */
import type { CommandError } from '../bindings/CommandError'
import { asCommandError } from './ipc'

/** Time in ms after which the user can stop waiting. */
const LONG = 1500

type Options = {
  /** Shows a stop as an error, which offers to try again. */
  showsStop?: boolean
  /** Keeps an error until an answer arrives, so that repeated reads do not blink. */
  quiet?: boolean
}

/** A call whose answer is not kept. */
export class Work {
  error = $state.raw<CommandError | null>(null)
  busy = $state(false)
  /** Whether it takes so long that the user can stop waiting. */
  long = $state(false)
  /** Aborts the pending call; null: none is pending. */
  private way: AbortController | null = null
  /** The call whose answer counts, even after it was stopped. */
  private latest: AbortController | null = null

  constructor(private readonly options: Options = {}) {}

  /**
   * Runs `work` and returns whether it succeeded. Work that is replaced still runs to its end: use a `Resource` for
   * what must not arrive late.
   */
  async attempt(work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    const done = await this.run(async (signal) => {
      await work(signal)
      return true
    })
    return done === true
  }

  /** Runs `work` unless some is pending: a second press does nothing. Returns whether it succeeded. */
  async once(work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    return this.busy ? false : this.attempt(work)
  }

  /** Shows an error from elsewhere, such as from a window of a long list. */
  fail(thrown: unknown): void {
    const error = asCommandError(thrown)
    this.error = error.code === 'given-up' && !this.options.showsStop ? null : error
  }

  /** Stops waiting, because the user asked for it. */
  stop(): void {
    const { way } = this
    this.end()
    way?.abort()
  }

  /** Drops the pending call and its answer. */
  drop(): void {
    this.latest = null
    this.stop()
  }

  /** Returns the answer; `undefined`: the call failed, was stopped, or was replaced by another. */
  protected async run<A>(
    work: (signal: AbortSignal) => Promise<A>,
    keep?: (answer: A) => void,
  ): Promise<A | undefined> {
    const before = this.way
    const way = new AbortController()
    this.way = this.latest = way
    before?.abort()
    if (!this.options.quiet) this.error = null
    this.busy = true
    this.long = false
    const timer = setTimeout(() => (this.long = this.way === way), LONG)
    try {
      const answer = await work(way.signal)
      if (this.latest !== way) return undefined
      this.error = null
      keep?.(answer)
      return answer
    } catch (thrown) {
      if (this.latest === way) this.fail(thrown)
      return undefined
    } finally {
      clearTimeout(timer)
      if (this.way === way) this.end()
    }
  }

  private end(): void {
    this.way = null
    this.busy = false
    this.long = false
  }
}

/** Returns the value that is there if the next one says the same: what is drawn from it stays as it is. */
export function unlessEqual<T>(before: T | null, next: T): T {
  return before !== null && JSON.stringify(before) === JSON.stringify(next) ? before : next
}

/** A value from the program, which stays on screen until the next one arrives. */
export class Resource<T> extends Work {
  value = $state.raw<T>() as T
  /** When the value was read, wall clock, in ms since 1970; null: it was not. */
  readAt = $state<number | null>(null)
  /** Whether the value is one that an earlier start has read. */
  recalled = $state(false)
  /** When a value was read that may be old: it could not be read again, or an earlier start has read it; else null. */
  readonly lastReadAt = $derived(this.recalled || this.error !== null ? this.readAt : null)
  private again = false

  constructor(value: T, options: Options = {}) {
    super(options)
    this.value = value
  }

  /** Asks, and keeps the answer as the value; `then` runs before anything is painted. */
  async ask<A extends T>(
    question: (signal: AbortSignal) => Promise<A>,
    then?: (value: A) => void,
  ): Promise<A | undefined> {
    // The value is at least as new as the start of its read.
    const readAt = Date.now()
    return this.run(question, (value) => {
      this.value = value
      this.readAt = readAt
      this.recalled = false
      then?.(value)
    })
  }

  /** Puts a value in place of one that no longer counts. */
  forget(value: T): void {
    this.value = value
    this.readAt = null
  }

  /** Shows a value that an earlier start has read, unless one was read since. */
  recall(value: T, readAt: number): void {
    if (this.readAt !== null) return
    this.value = value
    this.readAt = readAt
    this.recalled = true
  }

  /** Asks one question at a time: questions asked meanwhile are answered by one more at the end. */
  async askInTurn(question: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (this.busy) {
      this.again = true
      return
    }
    do {
      this.again = false
      await this.ask(question)
    } while (this.again)
  }
}
