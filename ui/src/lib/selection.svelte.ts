/** The selected rows of a list whose rows are read by windows. They stay selected when it is searched or filtered. */

type List<Row> = {
  keyOf: (row: Row) => string
  /** Reads `count` rows of the present query from index `first` on. */
  rows: (first: number, count: number) => Promise<Row[]>
  /** Reads the keys of all rows that a query found, by its number. */
  keysOf: (query: number) => Promise<string[]>
}

export class Selection<Row> {
  keys = $state.raw<ReadonlySet<string>>(new Set())
  /** The number of the query whose rows are all selected; null: not all of any. */
  private allOf = $state<number | null>(null)
  /** The place of the row that was chosen last; null: the rows have other places since. */
  private last: number | null = null
  /** Counts what changes the selection or its list, so that an answer that comes late changes nothing. */
  private turn = 0

  constructor(private readonly list: List<Row>) {}

  /** Whether all rows of a query are selected. */
  isAll(query: number | undefined): boolean {
    return query !== undefined && this.allOf === query
  }

  /** Selects a row, or with Shift all rows from the last one chosen. */
  async choose(row: Row, at: number, checked: boolean, shift: boolean): Promise<void> {
    const from = shift && this.last !== null ? this.last : at
    this.last = at
    const [low, high] = from < at ? [from, at] : [at, from]
    const rows = low === high ? [row] : await this.list.rows(low, high - low + 1)
    this.mark(rows.map(this.list.keyOf), checked)
    this.allOf = null
  }

  /** Selects all rows of a query, or none of them. */
  async chooseAll(query: number | undefined, checked: boolean): Promise<void> {
    if (query === undefined) return
    this.mark(await this.list.keysOf(query), checked)
    this.allOf = checked ? query : null
  }

  none(): void {
    this.turn++
    this.keys = new Set()
    this.allOf = null
  }

  /** Says that the list was read again: this query found so many rows, each of which may have another place. */
  async reorder(query: number, count: number): Promise<void> {
    this.last = null
    const turn = ++this.turn
    // Other rows than the selected ones would be more or fewer, or have other keys.
    if (this.allOf === null || this.allOf === query || count !== this.keys.size) return
    const found = await this.list.keysOf(query).catch(() => null)
    if (turn === this.turn && found?.every((key) => this.keys.has(key))) this.allOf = query
  }

  private mark(keys: string[], checked: boolean): void {
    this.turn++
    const next = new Set(this.keys)
    for (const key of keys) {
      if (checked) next.add(key)
      else next.delete(key)
    }
    this.keys = next
  }
}
