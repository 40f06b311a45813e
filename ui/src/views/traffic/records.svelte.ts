/** Traffic that was given, used and received, as the vendor wrote it down. */
import type { CommandError } from '../../bindings/CommandError'
import type { RecordList } from '../../bindings/RecordList'
import type { RecordsAsked } from '../../bindings/RecordsAsked'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import { Reading } from '../../lib/figures.svelte'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'
import { Span } from './span.svelte'

export class Records {
  received = $state(false)
  consumed = $state(false)
  account = $state('')
  readonly span = new Span()
  rows = $state.raw<TrafficRecord[] | null>(null)
  total = $state(0)
  error = $state<CommandError | null>(null)
  readonly wait = new Wait()
  private page = 0
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

  /** Reads the first page of what is asked for. `keep`: what is there stays until then. */
  async load(keep = false): Promise<void> {
    if (!this.span.fits) return
    if (!keep) this.rows = null
    await this.read(1)
  }

  async next(): Promise<void> {
    if (this.span.fits) await this.read(this.page + 1)
  }

  private async read(page: number): Promise<void> {
    this.error = null
    const { list, account, span } = this
    const asked = { list, account, from: span.from || null, to: span.to || null, page }
    try {
      const told = await this.reading.run(() =>
        this.wait.run(async (signal) => {
          const told = await call('traffic_records', asked, signal)
          if (told.total === 0) await this.lookOutside(asked, signal)
          return told
        }),
      )
      this.rows = page === 1 ? told.rows : [...(this.rows ?? []), ...told.rows]
      this.total = told.total
      this.page = page
    } catch (thrown) {
      // Who stops waiting is offered to go on.
      this.error = asCommandError(thrown)
    }
  }

  /** How many there are on other days, or of the other type. */
  private async lookOutside(asked: RecordsAsked, signal: AbortSignal): Promise<void> {
    const count = async (list: RecordList) =>
      (await call('traffic_records', { ...asked, list, from: null, to: null, page: 1 }, signal)).total
    const here = asked.from || asked.to ? await count(asked.list) : 0
    const other = asked.list === 'recharged' ? 'consumed' : 'recharged'
    const there = here === 0 && asked.list !== 'received' ? await count(other) : 0
    this.outside = here + there
    this.elsewhere = there > 0
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
