/** The vendor's records of traffic given, used and received. */
import type { RecordList } from '../../bindings/RecordList'
import type { RecordsOf } from '../../bindings/RecordsOf'
import type { RecordsPage } from '../../bindings/RecordsPage'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import { Reading } from '../../lib/figures.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Resource, Work } from '../../lib/resource.svelte'
import { isNewestFirst, NEWEST_FIRST, type Order, ordered, pressed } from './recordsOrder'
import { Span } from './span.svelte'

/** What the filters hide. `elsewhere`: they leave nothing, and the other type has records. */
type Outside = { count: number; elsewhere: boolean }
type Read = RecordsPage & { outside: Outside | null }

const NOTHING_OUTSIDE: Outside = { count: 0, elsewhere: false }

/** The most pages that are read again at once. */
const AGAIN = 3
/** Rows that are shown at once, as many as the program reads in a page. */
const SHOWN = 50

export class Records {
  received = $state(false)
  consumed = $state(false)
  account = $state('')
  readonly span = new Span()
  rows = $state.raw<TrafficRecord[] | null>(null)
  /** The pages read last; null: not read yet. A stop is shown with a way to continue. */
  readonly answer = new Resource<Read | null>(null, { showsStop: true })
  /** The order of the rows on screen. */
  sorted = $state.raw<Order>(NEWEST_FIRST)
  /** The order that was asked for last. */
  private wanted = NEWEST_FIRST
  /** The number of pages shown. */
  private pages = 0
  /** All records, newest first, once they were read for another order; null: only pages are there. */
  private whole: TrafficRecord[] | null = null
  /** The read of the next page. It never fails. */
  private turning = Promise.resolve()
  /** The question that the rows answer, as JSON. */
  private question = ''
  readonly total = $derived(this.answer.value?.total ?? 0)
  readonly more = $derived(this.rows !== null && this.rows.length < this.total)
  readonly list = $derived<RecordList>(this.received ? 'received' : this.consumed ? 'consumed' : 'recharged')

  readonly reading = new Reading('records')
  /** Records that the filters hide; counted only for a name that was searched, or when the filters leave none. */
  outside = $state(0)
  /** Whether the other type has them. */
  private elsewhere = $state(false)
  /** The active filters, in words. */
  readonly filters = $derived.by(() => {
    const { from, to } = this.span
    const type = t(this.consumed ? 'traffic.consumptions' : 'traffic.recharges')
    const span = from || to ? `${from || '…'} – ${to || '…'}` : ''
    return [this.elsewhere && !this.received ? type : '', span].filter((one) => one)
  })

  constructor(private readonly call: Call) {}

  /** Looks up today, for the usual spans. */
  async begin(): Promise<void> {
    await new Work().attempt(async () => {
      const { today } = await this.call('usage_state', null)
      // Without a chosen span, all records are listed.
      if (this.span.from || this.span.to) this.span.follow(today)
      else this.span.today = today
    })
  }

  /**
   * Reads the records. For the same question, those on screen stay until the first pages are read again, which waits for
   * a next page that was asked for before.
   */
  async load(): Promise<void> {
    if (!this.span.fits) return
    const question = JSON.stringify(this.asked)
    if (question !== this.question) {
      this.question = question
      this.rows = null
      this.whole = null
      this.pages = 0
      this.keep(NOTHING_OUTSIDE)
    } else if (this.answer.busy) await this.turning
    if (isNewestFirst(this.wanted)) await this.read(1, Math.min(this.pages || 1, AGAIN))
    else await this.readAll()
    if (this.answer.error && this.rows === null) {
      // Where not all can be read, perhaps the newest can.
      this.sorted = this.wanted = NEWEST_FIRST
      await this.recall(question)
    }
  }

  /** Shows the newest records that were read last, if nothing narrows the list. */
  private async recall(question: string): Promise<void> {
    const { list, account, from, to } = this.asked
    if (account.trim() !== '' || from !== null || to !== null) return
    const known = await this.call('known_records', list).catch(() => null)
    if (!known || this.rows !== null || question !== this.question) return
    this.answer.forget(null)
    this.answer.recall({ ...known.page, outside: null }, known.readAt)
    this.rows = known.page.rows
    this.pages = 1
  }

  /** Sorts by a column, or reverses its order. */
  async sortBy(column: string): Promise<void> {
    const replacesPages = this.answer.busy && isNewestFirst(this.wanted)
    this.wanted = pressed(this.wanted, column)
    const whole = this.whole ?? (this.pages === 1 && !this.more ? this.rows : null)
    if (whole) this.arrange(whole)
    if ((!whole || replacesPages) && this.span.fits) await this.readAll()
  }

  /** Reads a change that an operation made, unless a long list in another order would be read whole for it. */
  async follow(): Promise<void> {
    if (isNewestFirst(this.wanted) || this.total <= AGAIN * SHOWN) await this.load()
  }

  async next(): Promise<void> {
    if (!this.span.fits) return
    if (this.whole) {
      this.pages += 1
      this.arrange(this.whole)
      return
    }
    // The next page would not fit after rows of an earlier run.
    if (this.answer.recalled) return this.load()
    this.turning = this.read(this.pages + 1, this.pages + 1)
    await this.turning
  }

  /** All records of the list on screen, for a file. Those of an earlier start are all there is while none can be read. */
  async all(signal: AbortSignal): Promise<TrafficRecord[]> {
    const { rows, pages, whole } = this
    if (whole) return ordered(whole, this.sorted)
    // Pages that were read one after the other may not fit together.
    if (rows && !this.more && pages === 1) return rows
    try {
      return await this.call('all_records', JSON.parse(this.question) as RecordsOf, signal)
    } catch (thrown) {
      if (rows && this.answer.recalled && !signal.aborted) return rows
      throw thrown
    }
  }

  private get asked(): RecordsOf {
    const { list, account, span } = this
    return { list, account, from: span.from || null, to: span.to || null }
  }

  private async read(first: number, last: number): Promise<void> {
    const { asked } = this
    const question = async (signal: AbortSignal): Promise<Read> => {
      const rows: TrafficRecord[] = []
      for (let page = first; ; page++) {
        const read = await this.call('traffic_records', { ...asked, page }, signal)
        rows.push(...read.rows)
        if (page < last && read.rows.length > 0) continue
        // The next page keeps the count of the first.
        return {
          ...read,
          rows,
          outside: first === 1 ? await this.lookOutside(asked, read.total, signal) : null,
        }
      }
    }
    await this.reading.run(() =>
      this.answer.ask(question, (read) => {
        this.rows = first === 1 ? read.rows : [...(this.rows ?? []), ...read.rows]
        this.whole = null
        this.pages = last
        if (read.outside) this.keep(read.outside)
      }),
    )
  }

  /** Reads all records and shows the first in the order that is wanted. What is on screen stays if that fails. */
  private async readAll(): Promise<void> {
    const { asked } = this
    const question = async (signal: AbortSignal): Promise<Read> => {
      const rows = await this.call('all_records', asked, signal)
      return { total: rows.length, rows, outside: await this.lookOutside(asked, rows.length, signal) }
    }
    await this.reading.run(() =>
      this.answer.ask(question, ({ rows, outside }) => {
        this.pages ||= 1
        this.arrange(rows)
        this.keep(outside ?? NOTHING_OUTSIDE)
      }),
    )
    // It failed or was stopped; where it was replaced, the other read still comes.
    if (!this.answer.busy) this.wanted = this.sorted
  }

  private keep({ count, elsewhere }: Outside): void {
    this.outside = count
    this.elsewhere = elsewhere
  }

  private arrange(whole: TrafficRecord[]): void {
    this.whole = whole
    this.sorted = this.wanted
    this.rows = ordered(whole, this.wanted).slice(0, this.pages * SHOWN)
  }

  /**
   * Counts the records on other days, for a name or if none is `shown`; if there are none either, those of the other
   * type.
   */
  private async lookOutside(asked: RecordsOf, shown: number, signal: AbortSignal): Promise<Outside> {
    const count = async (list: RecordList) =>
      (await this.call('traffic_records', { ...asked, list, from: null, to: null, page: 1 }, signal)).total
    const narrowed = asked.from !== null || asked.to !== null
    if (shown > 0) {
      if (!narrowed || asked.account.trim() === '') return NOTHING_OUTSIDE
      // The records found are shown, whatever becomes of this count.
      const all = await count(asked.list).catch(() => shown)
      return { count: Math.max(all - shown, 0), elsewhere: false }
    }
    const here = narrowed ? await count(asked.list) : 0
    const other = asked.list === 'recharged' ? 'consumed' : 'recharged'
    const there = here === 0 && asked.list !== 'received' ? await count(other) : 0
    return { count: here + there, elsewhere: there > 0 }
  }

  /** Shows all traffic that was given to an account. */
  showOnly(account: string): void {
    this.received = this.consumed = false
    this.account = account
    this.span.clear()
    this.keep(NOTHING_OUTSIDE)
  }

  /** Removes the filters that hide everything. */
  showAll(): void {
    this.span.clear()
    if (this.elsewhere) this.consumed = !this.consumed
    this.keep(NOTHING_OUTSIDE)
  }
}
