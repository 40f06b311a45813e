/** Traffic that was given, used and received, as the vendor wrote it down. */
import type { RecordList } from '../../bindings/RecordList'
import type { RecordsAsked } from '../../bindings/RecordsAsked'
import type { RecordsPage } from '../../bindings/RecordsPage'
import type { TableAsked } from '../../bindings/TableAsked'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import { Reading } from '../../lib/figures.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import { Span } from './span.svelte'

/** What lies outside of the filters, where they leave nothing. */
type Outside = { count: number; elsewhere: boolean }
type Read = RecordsPage & { outside: Outside | null }

export class Records {
  received = $state(false)
  consumed = $state(false)
  account = $state('')
  readonly span = new Span()
  rows = $state.raw<TrafficRecord[] | null>(null)
  /** The page that was read last. Who stops waiting is offered to go on. */
  readonly answer = new Resource<Read | null>(null, { showsStop: true })
  private page = 0
  readonly total = $derived(this.answer.value?.total ?? 0)
  readonly more = $derived(this.rows !== null && this.rows.length < this.total)
  readonly list = $derived<RecordList>(this.received ? 'received' : this.consumed ? 'consumed' : 'recharged')

  readonly reading = new Reading('records')
  /** Records that this account has outside of the filters; counted where they leave none. */
  outside = $state(0)
  /** The other type has them, not this one. */
  private elsewhere = $state(false)
  /** The filters in force, in words. */
  readonly filters = $derived.by(() => {
    const { from, to } = this.span
    const type = t(this.consumed ? 'traffic.consumptions' : 'traffic.recharges')
    const span = from || to ? `${from || '…'} – ${to || '…'}` : ''
    return [this.elsewhere && !this.received ? type : '', span].filter((one) => one)
  })

  constructor(private readonly call: Call) {}

  /** Reads the first page of what is asked for. `keep`: what is there stays until then. */
  async load(keep = false): Promise<void> {
    if (!this.span.fits) return
    if (!keep) this.rows = null
    await this.read(1)
  }

  async next(): Promise<void> {
    if (this.span.fits) await this.read(this.page + 1)
  }

  async save(table: TableAsked, signal: AbortSignal): Promise<string> {
    return this.call('export_table', table, signal)
  }

  private async read(page: number): Promise<void> {
    const { list, account, span } = this
    const asked = { list, account, from: span.from || null, to: span.to || null, page }
    const question = async (signal: AbortSignal) => {
      const read = await this.call('traffic_records', asked, signal)
      return { ...read, outside: read.total === 0 ? await this.lookOutside(asked, signal) : null }
    }
    await this.reading.run(() =>
      this.answer.ask(question, (read) => {
        this.rows = page === 1 ? read.rows : [...(this.rows ?? []), ...read.rows]
        this.page = page
        if (!read.outside) return
        this.outside = read.outside.count
        this.elsewhere = read.outside.elsewhere
      }),
    )
  }

  /** How many there are on other days, or of the other type. */
  private async lookOutside(asked: RecordsAsked, signal: AbortSignal): Promise<Outside> {
    const count = async (list: RecordList) =>
      (await this.call('traffic_records', { ...asked, list, from: null, to: null, page: 1 }, signal)).total
    const here = asked.from || asked.to ? await count(asked.list) : 0
    const other = asked.list === 'recharged' ? 'consumed' : 'recharged'
    const there = here === 0 && asked.list !== 'received' ? await count(other) : 0
    return { count: here + there, elsewhere: there > 0 }
  }

  /** Shows what the filters hide. */
  showAll(): void {
    this.span.from = ''
    this.span.to = ''
    if (this.elsewhere) this.consumed = !this.consumed
    this.outside = 0
    this.elsewhere = false
  }
}
