/** The usage view as chart data. */
import type { ChartData } from '../../lib/chart/chart.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Usage } from './usage.svelte'

/** Download comes first, because it is the larger part. */
const SERIES = ['download', 'upload'] as const

export function chartData(usage: Usage): ChartData {
  const series = SERIES.filter((one) => usage.direction === 'both' || one === usage.direction)
  // Nothing is known, and nothing is drawn, before the first stored day.
  const span = usage.shown && { ...usage.shown, from: later(usage.shown.from, usage.kept?.oldest) }
  const rows = usage.unit
    ? usage.times.map((row) => ({ key: row.day, name: '', last: '', values: series.map((one) => row[one]) }))
    : usage.customers.map((row) => ({
        key: row.customerId,
        name: row.name || row.customerId,
        last: '',
        values: series.map((one) => row[one]),
      }))
  return {
    unit: usage.unit,
    rows,
    span: usage.unit && span ? [span.from, span.to] : null,
    series: series.map((one) => t(`traffic.${one}`)),
  }
}

function later(from: string, oldest: string | null | undefined): string {
  return oldest && oldest > from ? oldest : from
}
