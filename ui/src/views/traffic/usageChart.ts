/** The usage view as chart data. */
import type { ChartData } from '../../lib/chart/chart.svelte'
import { coveredDays } from '../../lib/coveredDays'
import { t } from '../../lib/i18n.svelte'
import type { Usage } from './usage.svelte'

/** Download comes first, because it is the larger part. */
const SERIES = ['download', 'upload'] as const

export function chartData(usage: Usage): ChartData {
  const series = SERIES.filter((one) => usage.direction === 'both' || one === usage.direction)
  // Days that are not read would be drawn as days without use.
  const span = usage.shown && coveredDays(usage.shown, usage.shown.kept)
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
