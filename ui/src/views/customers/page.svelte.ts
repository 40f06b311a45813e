/** One customer's page: what is known here at once, its use from what is kept, its records from the vendor. */
import type { CommandError } from '../../bindings/CommandError'
import type { CustomerPage } from '../../bindings/CustomerPage'
import type { OperationView } from '../../bindings/OperationView'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import type { ChartData } from '../../lib/chart/chart.svelte'
import { Reading } from '../../lib/figures.svelte'
import { daysFrom } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call } from '../../lib/ipc'
import { title } from '../../lib/operations'

/** Days that the chart shows. */
const DAYS = 60
/** Records that are shown. */
const RECORDS = 20

export class CustomerDetail {
  page = $state.raw<CustomerPage | null>(null)
  records = $state.raw<TrafficRecord[] | null>(null)
  chart = $state.raw<ChartData | null>(null)
  error = $state<CommandError | null>(null)
  recordsError = $state<CommandError | null>(null)

  readonly reading = new Reading('records')
  private begun = false

  constructor(private readonly id: string) {}

  /** Use and records are read once, when the row is known. */
  async load(): Promise<void> {
    await this.reload()
    if (!this.page || this.begun) return
    this.begun = true
    await Promise.all([this.readUse(), this.readRecords()])
  }

  /** What is known here: operations, note, status. */
  async reload(): Promise<void> {
    try {
      this.page = await call('customer_page', this.id)
      this.error = null
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  async readRecords(): Promise<void> {
    const account = this.page?.row.userName
    if (!account) return
    this.recordsError = null
    try {
      const newest = { account, from: null, to: null, page: 1 }
      const lists = ['recharged', 'consumed'] as const
      const read = () => Promise.all(lists.map((list) => call('traffic_records', { ...newest, list })))
      const pages = await this.reading.run(read)
      // The account filter may find others whose names are alike.
      const own = pages.flatMap((page) => page.rows).filter((row) => row.customerId === this.id)
      this.records = own.sort((a, b) => (a.createTime < b.createTime ? 1 : -1)).slice(0, RECORDS)
    } catch (thrown) {
      this.recordsError = asCommandError(thrown)
    }
  }

  /** From what is kept: nothing is read for it. */
  private async readUse(): Promise<void> {
    try {
      const kept = await call('usage_state', null)
      if (!kept.oldest) return
      const to = kept.today
      const from = daysFrom(to, -DAYS)
      const days = await call('usage_by_time', { from, to, customerId: this.id, unit: 'day' })
      this.chart = {
        unit: 'day',
        span: [from, to],
        series: [t('traffic.download'), t('traffic.upload')],
        rows: days.map((day) => ({ key: day.day, name: '', last: '', values: [day.download, day.upload] })),
      }
    } catch {
      // Without kept usage there is no chart; the rest of the page stands.
      this.chart = null
    }
  }

  title(operation: OperationView): string {
    return title(operation)
  }
}
