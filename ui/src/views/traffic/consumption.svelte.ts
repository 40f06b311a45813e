/** The use of all customers together, as totalled by the vendor. */
import type { ConsumptionRequest } from '../../bindings/ConsumptionRequest'
import type { ConsumptionRow } from '../../bindings/ConsumptionRow'
import type { Call } from '../../lib/ipc'
import { Resource, Work } from '../../lib/resource.svelte'
import { Span } from './span.svelte'

type Sort = 'when' | 'upload' | 'download' | 'sum'

const newestFirst = (rows: ConsumptionRow[]) =>
  rows.toSorted((one, other) => other.date.localeCompare(one.date))

export class Consumption {
  nni = $state(false)
  readonly span = new Span()
  /** `when`, or the column of an amount. */
  sorted = $state.raw<{ by: Sort; down: boolean }>({ by: 'when', down: true })
  /** Rows, newest first; null: not read yet. A stop is shown with a way to continue. */
  readonly answer = new Resource<ConsumptionRow[] | null>(null, { showsStop: true })
  /** The rows in the order of the table. */
  readonly rows = $derived.by(() => {
    const rows = this.answer.value ?? []
    const { by, down } = this.sorted
    if (by === 'when') return down ? rows : rows.toReversed()
    const way = down ? -1 : 1
    return rows.toSorted((one, other) => way * (Number(one[by] ?? 0) - Number(other[by] ?? 0)))
  })
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
    const { asked } = this
    const { nni } = asked
    // The rows answer the previous question.
    if (nni !== this.shownNni) {
      this.answer.forget(null)
      this.sorted = { by: 'when', down: true }
    }
    this.shownNni = nni
    const question = JSON.stringify(asked)
    let outside = 0
    await this.answer.ask(
      async (signal) => {
        const rows = await this.call('traffic_consumption', asked, signal)
        const isNarrow = rows.length === 0 && (asked.from !== null || asked.to !== null)
        const open = { ...asked, from: null, to: null }
        outside = isNarrow ? (await this.call('traffic_consumption', open, signal)).length : 0
        return newestFirst(rows)
      },
      () => {
        this.question = question
        this.outside = outside
      },
    )
    if (!this.answer.error) return
    // Rows stay under an error only if they are those that were asked for.
    if (question !== this.question) this.answer.forget(null)
    if (this.answer.value === null) await this.recall(question, asked)
  }

  /** Shows the days that were read last, if they are all of the span up to then. */
  private async recall(question: string, { nni, from, to }: ConsumptionRequest): Promise<void> {
    const known = await this.call('known_consumption', nni).catch(() => null)
    if (!known || question !== JSON.stringify(this.asked)) return
    // What was left to the vendor may begin anywhere.
    if (known.from === null ? from !== null : from === null || from < known.from) return
    const isWithin = ({ date }: ConsumptionRow) =>
      (from === null || date >= from) && (to === null || date <= to)
    const rows = known.rows.filter(isWithin)
    if (rows.length === 0) return
    this.question = question
    this.outside = 0
    this.answer.recall(newestFirst(rows), known.readAt)
  }

  private get asked(): ConsumptionRequest {
    const { nni, span } = this
    return { nni, from: span.from || null, to: span.to || null }
  }

  /** Sorts by a column, or reverses its order: times and amounts begin with the highest. */
  sortBy(by: string): void {
    const { sorted } = this
    this.sorted = { by: by as Sort, down: sorted.by === by ? !sorted.down : true }
  }

  /** Opens the span, which hides everything. */
  showAll(): void {
    this.span.clear()
  }
}
