/** Stands in for the program: answers when the test says so, and tells of events. */
import type { CommandError } from '../bindings/CommandError'
import type { Commands } from '../bindings/Commands'
import type { WrongField } from '../bindings/WrongField'
import type { Call } from '../lib/ipc'

type Name = keyof Commands
type Answer<K extends Name> = Commands[K][1]

/** A question that waits for its answer. */
type Question<K extends Name> = {
  request: Commands[K][0]
  answer: (value: Answer<K>) => Promise<void>
  refuse: (code: CommandError['code'], about?: WrongField) => Promise<void>
  stopped: boolean
}

export function commandError(code: CommandError['code'], about?: WrongField): CommandError {
  const details = { vendorCode: null, vendorMessage: null, traceId: null, technical: null, near: null }
  return { code, about, details } as CommandError
}

/** A value of which a test needs no more than this. */
export const part = <T>(of: Partial<T>) => of as T

/** Lets everything happen that needs no further answer. */
export const settled = () => new Promise<void>((done) => setTimeout(done))

export class Program {
  /** Every question so far, in order. */
  readonly asked: { name: Name; request: unknown }[] = []
  private readonly waiting = new Map<Name, Question<Name>[]>()
  private readonly answers = new Map<Name, (request: unknown) => unknown>()
  private readonly listeners = new Map<string, ((event: { payload: unknown }) => void)[]>()
  private readonly callbacks: ((event: { payload: unknown }) => void)[] = []

  constructor() {
    // What belongs to the whole window asks by the bridge itself.
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

  /** From now on this is what the command answers. */
  answer<K extends Name>(name: K, value: Answer<K> | ((request: Commands[K][0]) => Answer<K>)): this {
    const given = typeof value === 'function' ? value : () => value
    this.answers.set(name, given as (request: unknown) => unknown)
    return this
  }

  /** Nothing was done yet: what the window asks after every write has an answer. */
  withoutOperations(): this {
    return this.answer('list_operations', [])
      .answer('operations_touched', { position: 0, rows: [], openBulks: [] })
      .answer('gb_factor', 1024)
  }

  /** From now on its questions wait. */
  hold(name: Name): this {
    this.answers.delete(name)
    return this
  }

  /** From now on the command goes wrong. */
  refuse(name: Name, code: CommandError['code']): this {
    this.answers.set(name, () => {
      throw commandError(code)
    })
    return this
  }

  /** The questions of a command that wait, oldest first. */
  held<K extends Name>(name: K): Question<K>[] {
    return (this.waiting.get(name) ?? []) as unknown as Question<K>[]
  }

  /** How often a command was asked. */
  count(name: Name): number {
    return this.asked.filter((one) => one.name === name).length
  }

  /** What a command was asked last. */
  last<K extends Name>(name: K): Commands[K][0] | undefined {
    return this.asked.findLast((one) => one.name === name)?.request as Commands[K][0]
  }

  /** Tells the page of an event. */
  async tell(event: string, payload: unknown = null): Promise<void> {
    for (const heard of this.listeners.get(event) ?? []) heard({ payload })
    await settled()
  }

  /** Whether anybody hears an event. */
  isHeard(event: string): boolean {
    return (this.listeners.get(event) ?? []).length > 0
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
