/** The use of all customers together, as totalled by the vendor. */
import type { ConsumptionRow } from '../../bindings/ConsumptionRow'
import type { Call } from '../../lib/ipc'
import { Resource, Work } from '../../lib/resource.svelte'
import { Span } from './span.svelte'

export class Consumption {
  nni = $state(false)
  readonly span = new Span()
  /** Rows, newest first; null: not read yet. A stop is shown with a way to continue. */
  readonly answer = new Resource<ConsumptionRow[] | null>(null, { showsStop: true })
  /** Days outside the span; counted only when it has none. */
  outside = $state(0)
  private ready = false
  private shownNni = false
  /** The question that the rows answer, as JSON. */
  private question = ''

  constructor(private readonly call: Call) {}

  /** Starts with the last days, or with the span that was left. */
  async begin(): Promise<void> {
    const first = new Work()
    await first.attempt(async () => {
      const { today } = await this.call('usage_state', null)
      this.span.follow(today)
    })
    this.ready = true
    await this.load()
  }

  async load(): Promise<void> {
    if (!this.ready || !this.span.fits) return
    const { nni, span } = this
    // The rows answer the previous question.
    if (nni !== this.shownNni) this.answer.value = null
    this.shownNni = nni
    const asked = { nni, from: span.from || null, to: span.to || null }
    const question = JSON.stringify(asked)
    let outside = 0
    await this.answer.ask(
      async (signal) => {
        const rows = await this.call('traffic_consumption', asked, signal)
        const isNarrow = rows.length === 0 && (asked.from !== null || asked.to !== null)
        const open = { ...asked, from: null, to: null }
        outside = isNarrow ? (await this.call('traffic_consumption', open, signal)).length : 0
        return rows.toSorted((one, other) => other.date.localeCompare(one.date))
      },
      () => {
        this.question = question
        this.outside = outside
      },
    )
    // Rows stay under an error only if they are those that were asked for.
    if (this.answer.error && question !== this.question) this.answer.value = null
  }

  /** Opens the span, which hides everything. */
  showAll(): void {
    this.span.from = ''
    this.span.to = ''
  }
}
