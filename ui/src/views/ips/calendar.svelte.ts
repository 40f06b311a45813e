/** When IPs run out, day by day, in the days of this computer. */
import type { GoodsEnds } from '../../bindings/GoodsEnds'
import type { GoodsQuery } from '../../bindings/GoodsQuery'
import { dayHere, daysFrom, monthFrom } from '../../lib/days'
import { type Call, onIpsChanged, onOrderChanged } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'

export type Cell = { day: string; count: number; outside: boolean; isToday: boolean; isPast: boolean }

/** Days in a week. Weeks begin on Monday: ISO 8601, and the custom of both languages' calendars at work. */
const WEEK = 7

/** The first moment of a day of this computer, in ms since 1970. */
export function startOf(day: string): number {
  return new Date(`${day}T00:00:00`).getTime()
}

/** The days of a month in whole weeks, from Monday on. */
export function weeks(month: string): string[][] {
  // 0 is Sunday.
  const weekday = new Date(`${month}T00:00:00Z`).getUTCDay()
  const first = daysFrom(month, -((weekday + 6) % WEEK))
  const next = monthFrom(month, 1)
  const all: string[][] = []
  for (let day = first; day < next; day = daysFrom(day, WEEK))
    all.push(Array.from({ length: WEEK }, (_, at) => daysFrom(day, at)))
  return all
}

export class EndsCalendar {
  private readonly reading = new Resource<GoodsEnds | null>(null, { quiet: true })
  readonly value = $derived(this.reading.value)
  readonly error = $derived(this.reading.error)
  readonly busy = $derived(this.reading.busy)
  /** The first day of the month that is shown; null: the present month. */
  private chosen = $state<string | null>(null)
  readonly today = $derived(dayHere(this.value?.now ?? Date.now()))
  readonly month = $derived(this.chosen ?? monthFrom(this.today, 0))
  private readonly days = $derived.by(() => {
    const days = new Map<string, number>()
    for (const { at, count } of this.value?.ends ?? []) {
      const day = dayHere(at)
      days.set(day, (days.get(day) ?? 0) + count)
    }
    return days
  })
  readonly weeks = $derived(
    weeks(this.month).map((week) =>
      week.map(
        (day): Cell => ({
          day,
          count: this.days.get(day) ?? 0,
          outside: monthFrom(day, 0) !== this.month,
          isToday: day === this.today,
          isPast: day < this.today,
        }),
      ),
    ),
  )
  /** IPs that run out in the month that is shown. */
  readonly inMonth = $derived(
    this.weeks
      .flat()
      .filter(({ outside }) => !outside)
      .reduce((sum, { count }) => sum + count, 0),
  )

  constructor(private readonly call: Call) {}

  /** Reads again whenever more was delivered or listed. Returns a function that stops it. */
  watch(query: GoodsQuery): () => void {
    const again = () => void this.read(query)
    const listening = [onOrderChanged(again), onIpsChanged(again)]
    return () => {
      for (const one of listening) void one.then((stop) => stop())
    }
  }

  async read(query: GoodsQuery): Promise<void> {
    await this.reading.ask(() => this.call('goods_ends', query))
  }

  turn(months: number): void {
    this.chosen = monthFrom(this.month, months)
  }

  showToday(): void {
    this.chosen = null
  }
}
