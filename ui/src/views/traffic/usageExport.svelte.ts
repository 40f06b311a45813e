/** The export of usage: small tables from the page, all rows of the report from the program. */
import type { ExportProgress } from '../../bindings/ExportProgress'
import type { TableKind } from '../../bindings/TableKind'
import { t } from '../../lib/i18n.svelte'
import { type Call, onExportProgress } from '../../lib/ipc'
import type { Sheet } from '../../lib/sheet'
import type { Usage } from './usage.svelte'

/** The most rows of the report that are copied. */
const MOST_COPIED = 10_000
/** Rows of the report that are asked for at a time, as many as the program answers with. */
const PART = 500

/** The columns of the report's file. */
const reportColumns = () => [
  { label: t('traffic.day'), number: false },
  { label: t('traffic.customer'), number: false },
  { label: t('customers.id'), number: false },
  { label: `${t('traffic.upload')}, MB`, number: true },
  { label: `${t('traffic.download')}, MB`, number: true },
]

/** A row of a window, whose name comes after the id; one that was read again since has no day. */
const asInFile = ([day = '', customer = '', name = '', upload = '', download = '']: string[]) =>
  day ? [day, name, customer, upload, download] : [t('traffic.gone'), '', '', '', '']

export class UsageExport {
  progress = $state.raw<ExportProgress | null>(null)
  /** Whether the rows of the report are shown, which only the program has. */
  readonly isLong = $derived.by(() => this.usage.way === 'row')
  /** Whether they are too many for the clipboard. */
  readonly isTooLong = $derived.by(() => this.isLong && (this.usage.selected?.count ?? 0) > MOST_COPIED)

  constructor(
    private readonly call: Call,
    private readonly usage: Usage,
  ) {}

  private get name(): string {
    const { shown } = this.usage
    return shown ? `proxytill-usage-${shown.by}-${shown.from}-${shown.to}` : 'proxytill-usage'
  }

  /** Saves the rows of the report and returns the path of the file; throws a `CommandError`. */
  async save(kind: TableKind, signal: AbortSignal): Promise<string> {
    const { selected } = this.usage
    if (!selected) throw new Error('nothing is shown')
    const stop = await onExportProgress((progress) => (this.progress = progress))
    try {
      const columns = reportColumns().map(({ label }) => label)
      return await this.call(
        'export_usage',
        { kind, name: this.name, number: selected.number, columns },
        signal,
      )
    } finally {
      stop()
      this.progress = null
    }
  }

  /** Reads the rows of the report that are shown, in MB, with the columns of its file. */
  async report(signal: AbortSignal): Promise<Sheet> {
    const { selected } = this.usage
    const { number, count } = selected ?? { number: 0, count: 0 }
    const read = this.usage.rowsOf(number)
    const rows: string[][] = []
    while (rows.length < count) {
      signal.throwIfAborted()
      const part = await read(rows.length, Math.min(PART, count - rows.length))
      if (part.length === 0) break
      rows.push(...part.map(asInFile))
    }
    return { name: this.name, columns: reportColumns(), rows }
  }

  /** Returns the rows of a table by time or by customer in its order, in MB. */
  sheet(): Sheet {
    const { way, amounts, sortedRows } = this.usage
    const isNamed = way === 'customer'
    const heads = (isNamed ? [t('traffic.customer'), t('customers.id')] : [t(`traffic.${way}`)]).map(
      (label) => ({ label, number: false }),
    )
    const numbers = amounts.map((one) => ({
      label: `${t(one === 'sum' ? 'traffic.both' : `traffic.${one}`)}, MB`,
      number: true,
    }))
    const rows = sortedRows.map((row) => [
      ...(isNamed ? [row.name, row.key] : [row.key]),
      ...amounts.map((one) => row[one]),
    ])
    return { name: this.name, columns: [...heads, ...numbers], rows }
  }
}
