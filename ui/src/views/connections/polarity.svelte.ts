/**
 * Finds out what 0 and 1 mean, which cannot be read: it disables an unused customer, and the user
 * says what happened to its proxies. Nothing is guessed.
 */
import type { Polarity as Meaning } from '../../bindings/Polarity'
import type { Call } from '../../lib/ipc'
import { Work } from '../../lib/resource.svelte'
import { Change } from '../customers/change.svelte'

export type Step = 'who' | 'question' | 'right' | 'wrong' | 'not-done' | 'not-known'

export class Polarity {
  name = $state('')
  step = $state<Step>('who')
  /** Whether no customer has the typed name. */
  unknown = $state(false)
  readonly change: Change
  private readonly search = new Work()
  private readonly answering = new Work()
  readonly error = $derived.by(() => this.search.error ?? this.answering.error ?? this.change.error)
  /** The operation that disabled the customer; null: none yet. */
  private operation: string | null = null

  constructor(private readonly call: Call) {
    this.change = new Change(call)
  }

  /** Finds the customer and disables it once. A second press meanwhile does nothing. */
  async send(): Promise<void> {
    await this.search.once(async () => {
      this.unknown = false
      await this.call('read_customers', false)
      const wanted = this.name.trim().toLowerCase()
      const all = await this.call('list_customers', false)
      const found = all.find((one) => one.userName.toLowerCase() === wanted || one.customerId === wanted)
      this.unknown = !found
      if (!found) return
      const { customerId } = found
      const done = await this.change.send({ change: 'status', customerId, active: false })
      this.operation = done?.id ?? null
      if (done)
        this.step =
          done.state === 'applied' ? 'question' : done.state === 'unknown' ? 'not-known' : 'not-done'
    })
  }

  /** Records what the user saw, and has `keep` set the connection as the vendor means it. */
  async answer(works: boolean, keep: (polarity: Meaning) => Promise<void>): Promise<void> {
    const { operation } = this
    if (!operation) return
    await this.answering.once(async () => {
      await keep(await this.call('polarity_checked', { operation, works }))
      this.step = works ? 'wrong' : 'right'
    })
  }
}
