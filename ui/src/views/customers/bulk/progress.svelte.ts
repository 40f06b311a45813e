/** A running or finished bulk: its open row and its export. */
import type { BulkExport } from '../../../bindings/BulkExport'
import type { BulkRowView } from '../../../bindings/BulkRowView'
import type { BulkView } from '../../../bindings/BulkView'
import type { BulkWindow } from '../../../bindings/BulkWindow'
import type { OperationView } from '../../../bindings/OperationView'
import { type Key, t } from '../../../lib/i18n.svelte'
import type { Call } from '../../../lib/ipc'
import { notices } from '../../../lib/notices.svelte'
import { Resource, Work } from '../../../lib/resource.svelte'
import { savedFiles, savedWords } from '../../../lib/savedFiles.svelte'
import { asText, type Sheet } from '../../../lib/sheet'
import { reasonWords, stateWords } from './words'

export class BulkProgress {
  /** The operation of the open row; null: none. */
  private readonly row = new Resource<OperationView | null>(null, { quiet: true })
  readonly opened = $derived(this.row.value)
  private readonly file = new Work()
  readonly error = $derived(this.file.error ?? this.row.error)

  constructor(private readonly call: Call) {}

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
    await this.file.attempt(async () => {
      const path = await this.call('export_bulk', asked)
      void savedFiles.announce(savedWords(path), path)
    })
  }

  /** Copies all rows as they are shown. */
  async copy(view: BulkView): Promise<void> {
    this.row.error = null
    await this.file.attempt(async () => {
      const all = { id: view.id, onlyNotDone: false, search: '' }
      const rows = await rowsOf(this.call, all)(0, view.rows)
      await this.call('copy_text', asText(bulkSheet(rows, view.kind)))
      notices.notify(t('common.copied'))
    })
  }

  /** Shows that a window of rows could not be read. */
  fail(thrown: unknown): void {
    this.row.fail(thrown)
  }
}

function bulkSheet(rows: BulkRowView[], kind: BulkView['kind']): Sheet {
  const text = (key: Key) => ({ label: t(key), number: false })
  const number = (key: Key) => ({ label: t(key), number: true })
  return {
    name: 'proxytill-bulk',
    columns: [
      number('bulk.line'),
      text('traffic.customer'),
      number('bulk.gb'),
      text('activity.state'),
      text('bulk.reason'),
    ],
    rows: rows.map((row) => [
      String(row.number),
      row.name,
      row.gb ?? '',
      stateWords(row.state, kind),
      row.reason ? reasonWords(row.reason) : '',
    ]),
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
