/** The export of usage: small tables from the page, all rows of the report from the program. */
import type { ExportProgress } from '../../bindings/ExportProgress'
import type { TableKind } from '../../bindings/TableKind'
import { t } from '../../lib/i18n.svelte'
import { type Call, onExportProgress } from '../../lib/ipc'
import type { Sheet } from '../../lib/sheet'
import type { Usage } from './usage.svelte'

export class UsageExport {
  progress = $state.raw<ExportProgress | null>(null)
  /** Whether the rows of the report are shown, which only the program has. */
  readonly isLong = $derived.by(() => this.usage.way === 'row')

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
      const columns = (['day', 'customer'] as const).map((key) => t(`traffic.${key}`))
      const amounts = (['upload', 'download'] as const).map((key) => `${t(`traffic.${key}`)}, MB`)
      return await this.call(
        'export_usage',
        {
          kind,
          name: this.name,
          number: selected.number,
          columns: [...columns, t('customers.id'), ...amounts],
        },
        signal,
      )
    } finally {
      stop()
      this.progress = null
    }
  }

  /** Returns the rows of the table in its order, in MB. */
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
