/** Stands in for the program: answers when a test says so, and emits events. */
import { expect, onTestFailed } from 'vitest'
import type { CommandError } from '../bindings/CommandError'
import type { Commands } from '../bindings/Commands'
import type { Call } from '../lib/ipc'

type Name = keyof Commands
type Answer<K extends Name> = Commands[K][1]

/** A call that waits for its answer. */
type Question<K extends Name> = {
  request: Commands[K][0]
  answer: (value: Answer<K>) => Promise<void>
  refuse: (code: CommandError['code'], about?: About) => Promise<void>
  stopped: boolean
}

/** What an error is about, where its code alone does not say it. */
type About = Extract<CommandError, { about: unknown }>['about']

export function commandError(code: CommandError['code'], about?: About): CommandError {
  const details = { vendorCode: null, vendorMessage: null, traceId: null, technical: null, near: null }
  return { code, about, details } as CommandError
}

/** A value with only the fields that a test needs. */
export const part = <T>(of: Partial<T>) => of as T

/** Waits for everything that needs no further answer. */
export const settled = () => new Promise<void>((done) => setTimeout(done))

export class Program {
  /** Every call so far, in order. */
  readonly asked: { name: Name; request: unknown }[] = []
  private readonly waiting = new Map<Name, Question<Name>[]>()
  private readonly answers = new Map<Name, (request: unknown) => unknown>()
  private readonly listeners = new Map<string, ((event: { payload: unknown }) => void)[]>()
  private readonly callbacks: ((event: { payload: unknown }) => void)[] = []

  constructor() {
    // A command that nobody answers waits for ever: the test that ends because of it says which.
    if (expect.getState().currentTestName) onTestFailed(() => this.nameUnanswered())
    // State of the whole window calls the bridge directly.
    Object.assign(globalThis, {
      __TAURI_INTERNALS__: {
        invoke: (name: string, args: Record<string, never>) => this.invoke(name, args),
        transformCallback: (heard: (event: { payload: unknown }) => void) => this.callbacks.push(heard) - 1,
      },
      __TAURI_EVENT_PLUGIN_INTERNALS__: { unregisterListener: () => {} },
    })
  }

  readonly call: Call = (name, request, signal) =>
    this.take(name, request, signal) as Promise<Answer<typeof name>>

  /** Sets the answer of a command from now on. */
  answer<K extends Name>(name: K, value: Answer<K> | ((request: Commands[K][0]) => Answer<K>)): this {
    const given = typeof value === 'function' ? value : () => value
    this.answers.set(name, given as (request: unknown) => unknown)
    return this
  }

  /** Answers the calls that follow every write, with no operations. */
  withoutOperations(): this {
    return this.answer('list_operations', [])
      .answer('operations_touched', { position: 0, rows: [], openBulks: [] })
      .answer('gb_factor', 1024)
  }

  /** Makes the calls of a command wait from now on. */
  hold(name: Name): this {
    this.answers.delete(name)
    return this
  }

  /** Makes a command fail from now on. */
  refuse(name: Name, code: CommandError['code']): this {
    this.answers.set(name, () => {
      throw commandError(code)
    })
    return this
  }

  /** Returns the waiting calls of a command, oldest first. */
  held<K extends Name>(name: K): Question<K>[] {
    return (this.waiting.get(name) ?? []) as unknown as Question<K>[]
  }

  /** Returns how often a command was called. */
  count(name: Name): number {
    return this.asked.filter((one) => one.name === name).length
  }

  /** Returns the last request of a command. */
  last<K extends Name>(name: K): Commands[K][0] | undefined {
    return this.asked.findLast((one) => one.name === name)?.request as Commands[K][0]
  }

  /** Emits an event to the page. */
  async tell(event: string, payload: unknown = null): Promise<void> {
    for (const heard of this.listeners.get(event) ?? []) heard({ payload })
    await settled()
  }

  /** Whether the page listens to an event. */
  isHeard(event: string): boolean {
    return (this.listeners.get(event) ?? []).length > 0
  }

  private nameUnanswered(): void {
    const names = [...this.waiting].filter(([, questions]) => questions.length > 0).map(([name]) => name)
    if (names.length > 0) console.error(`Commands that nobody answered: ${names.join(', ')}`)
  }

  private invoke(
    name: string,
    args: { event?: string; handler?: number; request?: never },
  ): Promise<unknown> {
    const heard = this.callbacks[args.handler ?? -1]
    const { event = '' } = args
    if (name === 'plugin:event|listen' && heard)
      this.listeners.set(event, [...(this.listeners.get(event) ?? []), heard])
    else if (name === 'plugin:event|unlisten') this.listeners.delete(event)
    else return this.take(name as Name, args.request)
    return Promise.resolve(0)
  }

  private async take(name: Name, request: unknown, signal?: AbortSignal): Promise<unknown> {
    this.asked.push({ name, request })
    const given = this.answers.get(name)
    if (given) return given(request)
    return new Promise((answered, refused) => {
      const end = async (done: () => void) => {
        this.waiting.set(
          name,
          this.held(name).filter((one) => one !== question),
        )
        done()
        await settled()
      }
      const question: Question<Name> = {
        request: request as never,
        answer: (value) => end(() => answered(value)),
        refuse: (code, about) => end(() => refused(commandError(code, about))),
        stopped: false,
      }
      signal?.addEventListener('abort', () => {
        question.stopped = true
        refused(commandError('given-up'))
      })
      this.waiting.set(name, [...this.held(name), question])
    })
  }
}
