/** Which rows of a bulk are shown. */
import type { BulkView } from '../../../bindings/BulkView'
import type { Call } from '../../../lib/ipc'
import { Resource } from '../../../lib/resource.svelte'

/** The rows that a list shows, and their number. */
export type ShownRows = { search: string; onlyNotDone: boolean; count: number }

export class RowFilter {
  search = $state('')
  onlyNotDone = $state(false)
  private readonly found = new Resource<ShownRows | null>(null, { quiet: true })
  readonly error = $derived(this.found.error)

  constructor(private readonly call: Call) {}

  /** The rows to show. Until a search is answered, those from before it. */
  shown({ rows, counts }: BulkView): ShownRows {
    const { onlyNotDone } = this
    const all = { search: '', onlyNotDone, count: onlyNotDone ? rows - counts.done : rows }
    return this.search.trim() === '' ? all : (this.found.value ?? all)
  }

  /** Counts what the search finds; without a search, a bulk's own figures say it. */
  async find(id: string): Promise<void> {
    const { search, onlyNotDone } = this
    if (search.trim() === '') {
      this.found.drop()
      this.found.value = null
      return
    }
    await this.found.ask(async () => {
      const count = await this.call('count_bulk_rows', { id, onlyNotDone, search })
      return { search, onlyNotDone, count }
    })
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
