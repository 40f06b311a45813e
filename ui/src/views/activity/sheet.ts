/** The table of Activity: its columns, and its rows for a file or the clipboard. */
import type { ActivityEntry } from '../../bindings/ActivityEntry'
import type { Column } from '../../lib/columns.svelte'
import { decimal, shortMoment } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import { amountOf, shortTitle, stateWord } from '../../lib/operationWords'
import type { Sheet } from '../../lib/sheet'
import { bulkState, bulkTitle } from '../customers/bulk/words'

/** All columns of the table, in the user's language. */
export function activityColumns(): Column[] {
  return [
    { id: 'when', label: t('activity.when'), sort: 'when', medium: true },
    { id: 'what', label: t('activity.what'), sort: 'what', always: true, grows: 2 },
    { id: 'state', label: t('activity.state'), sort: 'state' },
    { id: 'order', label: t('order.number'), sort: 'order', minor: true },
    { id: 'amount', label: t('activity.amount'), number: true, sort: 'amount', minor: true },
  ]
}

/** The text of a cell, as the table shows it. `searched`: whether a search narrows the rows of bulks. */
export function activityCell(
  id: string,
  { operation, bulk, found }: ActivityEntry,
  searched: boolean,
): string {
  if (operation)
    switch (id) {
      case 'when':
        return shortMoment(operation.created)
      case 'what':
        return shortTitle(operation)
      case 'state':
        return stateWord(operation)
      case 'order':
        return operation.order?.orderNo ?? ''
      default:
        return amountOf(operation)
    }
  if (!bulk) return ''
  const { done } = bulk.counts
  switch (id) {
    case 'when':
      return shortMoment(bulk.created)
    case 'what':
      return bulkTitle(bulk)
    case 'state':
      return t(`bulk.${bulkState(bulk)}`)
    case 'order':
      return searched ? t('activity.bulk-found', { count: found, number: decimal(String(found)) }) : ''
    default:
      return t('bulk.count-done', { count: done, rows: decimal(String(done)) })
  }
}

/** The rows shown, with the columns shown. Amounts carry their unit, because it differs from row to row. */
export function activitySheet(entries: ActivityEntry[], shown: Column[], searched: boolean): Sheet {
  return {
    name: 'proxytill-activity',
    columns: shown.map(({ label }) => ({ label, number: false })),
    rows: entries.map((entry) => shown.map(({ id }) => activityCell(id, entry, searched))),
  }
}
