/** A running or finished bulk: its open row and its export. */
import type { BulkExport } from '../../../bindings/BulkExport'
import type { BulkRowView } from '../../../bindings/BulkRowView'
import type { BulkView } from '../../../bindings/BulkView'
import type { BulkWindow } from '../../../bindings/BulkWindow'
import type { OperationView } from '../../../bindings/OperationView'
import type { Column } from '../../../lib/columns.svelte'
import { Export } from '../../../lib/export.svelte'
import type { Key } from '../../../lib/i18n.svelte'
import type { Call } from '../../../lib/ipc'
import { Resource } from '../../../lib/resource.svelte'
import type { Sheet } from '../../../lib/sheet'
import type { ShownRows } from './rowFilter.svelte'
import { reasonWords, stateWords } from './words'

export class BulkProgress {
  /** The operation of the open row; null: none. */
  private readonly row = new Resource<OperationView | null>(null, { quiet: true })
  readonly opened = $derived(this.row.value)
  private readonly written: Export
  readonly error = $derived.by(() => this.written.file.error ?? this.row.error)

  constructor(private readonly call: Call) {
    this.written = new Export(call)
  }

  /** Opens the operation of a row. */
  async show(operation: string): Promise<void> {
    await this.row.ask(async () => (await this.call('operations_of', [operation]))[0] ?? null)
  }

  /** Closes it. A pending answer opens nothing any more. */
  close(): void {
    this.row.drop()
    this.row.value = null
  }

  async save(asked: BulkExport): Promise<void> {
    this.row.error = null
    await this.written.run(() => this.call('export_bulk', asked))
  }

  /** Copies the rows that are shown, with these columns. */
  async copy(view: BulkView, { search, onlyNotDone }: ShownRows, columns: Column[]): Promise<void> {
    this.row.error = null
    const rows = rowsOf(this.call, { id: view.id, onlyNotDone, search })
    await this.written.copy(async () => bulkSheet(await rows(0, view.rows), view.kind, columns))
  }

  /** Shows that a window of rows could not be read. */
  fail(thrown: unknown): void {
    this.row.fail(thrown)
  }
}

/** The heads of a bulk's rows in its file. */
export const ROW_HEADS: Key[] = ['bulk.line', 'traffic.customer', 'bulk.gb', 'activity.state', 'bulk.reason']

function bulkSheet(rows: BulkRowView[], kind: BulkView['kind'], shown: Column[]): Sheet {
  const cells: Record<string, (row: BulkRowView) => string> = {
    line: (row) => String(row.number),
    customer: (row) => row.name,
    gb: (row) => row.gb ?? '',
    state: (row) => stateWords(row.state, kind),
    reason: (row) => (row.reason ? reasonWords(row.reason) : ''),
  }
  return {
    name: 'proxytill-bulk',
    columns: shown.map(({ id, label }) => ({ label, number: id === 'line' || id === 'gb' })),
    rows: rows.map((row) => shown.map(({ id }) => cells[id]?.(row) ?? '')),
  }
}

/** Bulks that are running or wait for the user. */
export class OpenBulks {
  private readonly list = new Resource<BulkView[]>([], { quiet: true })
  /** Empty if they cannot be read, because the journal's error is shown elsewhere. */
  readonly all = $derived(this.list.error ? [] : this.list.value)

  constructor(private readonly call: Call) {}

  async read(): Promise<void> {
    await this.list.ask(async () =>
      (await this.call('list_bulks', null)).filter((one) => one.state !== 'finished'),
    )
  }
}

/** Returns a function that reads current rows of a bulk from an index on. */
export const rowsOf =
  (call: Call, of: Omit<BulkWindow, 'first' | 'count'>) =>
  (first: number, count: number): Promise<BulkRowView[]> =>
    call('bulk_rows', { ...of, first, count })

/** The id of the customer that an operation is for; null: it has none. */
export async function customerOf(call: Call, operation: string): Promise<string | null> {
  const [found] = await call('operations_of', [operation])
  return found?.customerId ?? null
}
