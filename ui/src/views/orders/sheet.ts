/** The table of orders: its columns, and its rows for a file or the clipboard. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { Column } from '../../lib/columns.svelte'
import { moment } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import type { Sheet } from '../../lib/sheet'
import { statusWords } from './status'

/** All columns of the table, in the user's language. */
export function orderColumns(): Column[] {
  return [
    { id: 'since', label: t('order.since'), sort: 'since', explain: t('explain.recorded'), medium: true },
    { id: 'number', label: t('order.number'), sort: 'number', always: true },
    { id: 'places', label: t('order.places'), grows: 2, minor: true },
    { id: 'status', label: t('order.status') },
    { id: 'delivered', label: t('order.delivered-label'), number: true, sort: 'delivered', minor: true },
    { id: 'paid', label: t('order.paid'), number: true, sort: 'paid', minor: true },
    { id: 'note', label: t('order.note'), grows: 1, minor: true, wide: true },
  ]
}

/** Orders as rows with the columns shown. An amount stands beside its currency, so that a spreadsheet can add it up. */
export function orderSheet(
  orders: BookedOrder[],
  placesOf: (order: BookedOrder) => string,
  shown: Column[],
): Sheet {
  const cells: Record<string, (order: BookedOrder) => string[]> = {
    since: (order) => [moment(order.since)],
    number: (order) => [order.orderNo],
    places: (order) => [placesOf(order)],
    status: (order) => [statusWords(order.status)],
    delivered: (order) => [String(order.delivered ?? ''), String(order.ordered ?? '')],
    note: (order) => [order.note],
    paid: (order) => [order.amount ?? '', order.amount === null ? '' : order.currency],
  }
  const second: Record<string, { label: string; number: boolean }> = {
    delivered: { label: t('order.ordered'), number: true },
    paid: { label: t('order.currency'), number: false },
  }
  const heads = shown.flatMap(({ id, label, number = false }) => {
    const more = second[id]
    return more ? [{ label, number }, more] : [{ label, number }]
  })
  return {
    name: 'proxytill-orders',
    columns: heads,
    rows: orders.map((order) => shown.flatMap(({ id }) => cells[id]?.(order) ?? [])),
  }
}
