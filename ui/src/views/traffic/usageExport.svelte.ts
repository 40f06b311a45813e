/** The export of usage: small tables from the page, all rows from the program. */
import type { ExportProgress } from '../../bindings/ExportProgress'
import type { TableKind } from '../../bindings/TableKind'
import { t } from '../../lib/i18n.svelte'
import { type Call, onExportProgress } from '../../lib/ipc'
import type { Usage } from './usage.svelte'

export class UsageExport {
  progress = $state.raw<ExportProgress | null>(null)

  constructor(
    private readonly call: Call,
    private readonly usage: Usage,
  ) {}

  /** Saves the file and returns its path; throws a `CommandError`. */
  async save(kind: TableKind, signal: AbortSignal): Promise<string> {
    const { usage } = this
    if (!usage.shown) throw new Error('nothing is shown')
    const { by, from, to } = usage.shown
    const name = `proxytill-usage-${by}-${from}-${to}`
    return by === 'row' && usage.selected
      ? this.rows(kind, name, usage.selected.number, signal)
      : this.call('export_table', { kind, name, ...this.shown() }, signal)
  }

  private async rows(kind: TableKind, name: string, number: number, signal: AbortSignal): Promise<string> {
    const stop = await onExportProgress((progress) => (this.progress = progress))
    try {
      const columns = (['day', 'customer'] as const).map((key) => t(`traffic.${key}`))
      const amounts = (['upload', 'download'] as const).map((key) => `${t(`traffic.${key}`)}, MB`)
      return await this.call(
        'export_usage',
        { kind, name, number, columns: [...columns, t('customers.id'), ...amounts] },
        signal,
      )
    } finally {
      stop()
      this.progress = null
    }
  }

  /** Returns exactly what the table shows, in MB. */
  private shown() {
    const { usage } = this
    const all = ['upload', 'download', 'sum'] as const
    const amounts = usage.direction === 'both' ? all : all.filter((one) => one === usage.direction)
    const heads = amounts.map((one) => ({
      label: `${t(one === 'sum' ? 'traffic.both' : `traffic.${one}`)}, MB`,
      number: true,
    }))
    if (usage.way === 'customer') {
      const named = [t('traffic.customer'), t('customers.id')].map((label) => ({ label, number: false }))
      const rows = usage.customers.map((row) => [row.name, row.customerId, ...amounts.map((one) => row[one])])
      return { columns: [...named, ...heads], rows }
    }
    const rows = usage.times.map((row) => [row.day, ...amounts.map((one) => row[one])])
    return { columns: [{ label: t(`traffic.${usage.way}`), number: false }, ...heads], rows }
  }
}
