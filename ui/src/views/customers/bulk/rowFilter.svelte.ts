/** Which rows of a bulk are shown. */
import type { BulkView } from '../../../bindings/BulkView'
import type { Call } from '../../../lib/ipc'
import { Resource, unlessEqual } from '../../../lib/resource.svelte'

/** The rows that a list shows: their number, and how many more there are without the filter. */
export type ShownRows = { search: string; onlyNotDone: boolean; count: number; outside: number }

export class RowFilter {
  search = $state('')
  onlyNotDone = $state(false)
  private readonly found = new Resource<ShownRows | null>(null, { quiet: true })

  constructor(private readonly call: Call) {}

  // A derived value would end with the view that first asked for this filter.
  get error() {
    return this.found.error
  }

  /** The rows to show. Until a search is answered, those from before it. */
  shown({ rows, counts }: BulkView): ShownRows {
    const { onlyNotDone } = this
    const count = onlyNotDone ? rows - counts.done : rows
    const all = { search: '', onlyNotDone, count, outside: rows - count }
    return this.search.trim() === '' ? all : (this.found.value ?? all)
  }

  /** Counts what the search finds; without a search, a bulk's own figures say it. */
  async find(id: string): Promise<void> {
    if (this.search.trim() === '') {
      this.found.drop()
      this.found.error = null
      this.found.value = null
      return
    }
    // Rows of a running bulk change many times a second: a pending answer is not given up for the next.
    await this.found.askInTurn(async () => unlessEqual(this.found.value, await this.count(id)))
  }

  private async count(id: string): Promise<ShownRows> {
    const { search, onlyNotDone } = this
    const counted = (onlyNotDone: boolean) => this.call('count_bulk_rows', { id, onlyNotDone, search })
    const count = await counted(onlyNotDone)
    const outside = onlyNotDone && count === 0 ? await counted(false) : 0
    return { search, onlyNotDone, count, outside }
  }
}

/** The filters of all bulks, kept while other places are shown. */
export class RowFilters {
  private readonly all = new Map<string, RowFilter>()

  constructor(private readonly call: Call) {}

  of(bulk: string): RowFilter {
    const filter = this.all.get(bulk) ?? new RowFilter(this.call)
    this.all.set(bulk, filter)
    return filter
  }
}
