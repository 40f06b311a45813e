/** A customer's page: what is known here, its use from the local store, its records from the vendor. */
import type { CustomerPage } from '../../bindings/CustomerPage'
import type { OperationView } from '../../bindings/OperationView'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import type { ChartData } from '../../lib/chart/chart.svelte'
import { coveredDays } from '../../lib/coveredDays'
import { daysFrom } from '../../lib/days'
import { Reading } from '../../lib/figures.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'

/** Days in the chart. */
const DAYS = 60

export class CustomerDetail {
  private readonly known = new Resource<CustomerPage | null>(null, { quiet: true })
  readonly page = $derived(this.known.value)
  readonly error = $derived(this.known.error)
  /** The statuses to offer: the other one where the last one set from here is known, else both. */
  readonly statuses = $derived.by(() => {
    const last = this.page?.row.status
    return last ? [!last.active] : [true, false]
  })
  readonly records = new Resource<TrafficRecord[] | null>(null)
  /** The chart; null: no usage of the last days is read. The rest of the page works without it. */
  private readonly use = new Resource<ChartData | null>(null)
  readonly chart = $derived(this.use.value)
  /** The last day of stored usage; null: there is none. */
  through = $state<string | null>(null)

  readonly reading = new Reading('records')
  private begun = false

  constructor(
    private readonly call: Call,
    private readonly id: string,
  ) {}

  /** Reads the page. Use and records are read once, when the row is known. */
  async load(): Promise<void> {
    await this.known.ask(() => this.call('customer_page', this.id))
    if (!this.page || this.begun) return
    this.begun = true
    await Promise.all([this.readUse(), this.readRecords()])
  }

  /** An operation of this customer; undefined: it is another's. */
  operation(id: string | null): OperationView | undefined {
    return this.page?.operations.find((operation) => operation.id === id)
  }

  async readRecords(): Promise<void> {
    const account = this.page?.row.userName
    if (!account) return
    const asked = { customerId: this.id, account }
    await this.reading.run(() => this.records.ask((signal) => this.call('customer_records', asked, signal)))
    if (!this.records.error || this.records.value !== null) return
    const known = await this.call('known_customer_records', this.id).catch(() => null)
    if (known) this.records.recall(known.rows, known.readAt)
  }

  /** Reads the use from the local store, without a request to the vendor. */
  async readUse(): Promise<void> {
    await this.use.ask(async () => {
      const kept = await this.call('usage_state', null)
      this.through = kept.through
      const span = coveredDays({ from: daysFrom(kept.today, -DAYS), to: kept.today }, kept)
      if (!span) return null
      const days = await this.call('usage_by_time', { ...span, customerId: this.id, unit: 'day' })
      return {
        unit: 'day',
        span: [span.from, span.to],
        series: [t('traffic.download'), t('traffic.upload')],
        rows: days.map((day) => ({ key: day.day, name: '', last: '', values: [day.download, day.upload] })),
      }
    })
  }
}
