/**
 * What the page asks of the program: whether it is under way, what went wrong, and a way out once it takes long.
 * The latest question wins: an answer to an earlier one is dropped.
 */
import type { CommandError } from '../bindings/CommandError'
import { asCommandError } from './ipc'

/** After this long, in ms, a way out is offered. */
const LONG = 1500

type Options = {
  /** Stopping is shown as an error, which offers to ask again. */
  showsStop?: boolean
  /** An error stays until an answer came: what is read again and again does not blink. */
  quiet?: boolean
}

/** Something that is done, whose answer is of no more interest than that it came. */
export class Work {
  error = $state.raw<CommandError | null>(null)
  busy = $state(false)
  /** It takes so long that a way out is offered. */
  long = $state(false)
  /** What stops what is under way. */
  private way: AbortController | null = null
  /** The question whose answer counts, also once it is stopped. */
  private latest: AbortController | null = null

  constructor(private readonly options: Options = {}) {}

  /**
   * Does it; returns whether it went well. Work that was replaced goes on by itself: what must not come late is
   * asked for by a `Resource`.
   */
  async attempt(work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    const done = await this.run(async (signal) => {
      await work(signal)
      return true
    })
    return done === true
  }

  /** Does it once: while it is under way a second press does nothing. */
  async once(work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    return this.busy ? false : this.attempt(work)
  }

  /** Shows an error that was met elsewhere, such as in a window of a long list. */
  fail(thrown: unknown): void {
    const error = asCommandError(thrown)
    this.error = error.code === 'given-up' && !this.options.showsStop ? null : error
  }

  /** Stops the wait, because a person had enough. */
  stop(): void {
    const { way } = this
    this.end()
    way?.abort()
  }

  /** Drops what is under way, whose answer is no longer wanted. */
  drop(): void {
    this.latest = null
    this.stop()
  }

  /** Returns what came; `undefined`: it went wrong, was stopped, or another was asked meanwhile. */
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

/** A value that is asked for, and stays on screen until its successor is here. */
export class Resource<T> extends Work {
  value = $state.raw<T>() as T
  private again = false

  constructor(value: T, options: Options = {}) {
    super(options)
    this.value = value
  }

  /** Asks and keeps the answer as the value; `then` is done with it before anything is painted. */
  async ask<A extends T>(
    question: (signal: AbortSignal) => Promise<A>,
    then?: (value: A) => void,
  ): Promise<A | undefined> {
    return this.run(question, (value) => {
      this.value = value
      then?.(value)
    })
  }

  /** Asks one question at a time: whatever is asked meanwhile is asked once more after it. */
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
