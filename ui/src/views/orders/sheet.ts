/** The tables of orders and of what one of them delivered: columns, and rows for a file or the clipboard. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { Delivered } from '../../bindings/Delivered'
import type { GoodsView } from '../../bindings/GoodsView'
import type { Column } from '../../lib/columns.svelte'
import { factText } from '../../lib/facts'
import { addressOf, moment, vendorMoment } from '../../lib/format'
import { statusWords } from '../../lib/goods/status'
import { buyerName } from '../../lib/goods/words'
import { t } from '../../lib/i18n.svelte'
import type { Sheet } from '../../lib/sheet'
import { placeOf } from './goods'

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

/** The columns of what an order delivered: those for buyers and other details only where there are any. */
export function goodsColumns(goods: Delivered[], marks: GoodsView[]): Column[] {
  const isForSomebody = marks.some((one) => one.buyer)
  return [
    { id: 'address', label: t('goods.address'), always: true },
    // Beside a list there is room for little more: the table shows the wide ones in a line below the row.
    ...(isForSomebody ? [{ id: 'for', label: t('ips.for') }] : []),
    { id: 'protocol', label: t('facts.protocol'), wide: true },
    { id: 'country', label: t('facts.country'), wide: true },
    { id: 'city', label: t('facts.city'), wide: true },
    { id: 'expires', label: t('facts.expires') },
    ...(isForSomebody ? [{ id: 'sent', label: t('ips.sent'), wide: true as const }] : []),
    ...(goods.some((one) => one.about.other.length > 0)
      ? [{ id: 'other', label: t('goods.other'), wide: true as const }]
      : []),
  ]
}

/** What an order delivered, with the columns shown and without credentials. */
export function goodsSheet(goods: Delivered[], marks: GoodsView[], shown: Column[]): Sheet {
  const markOf = new Map(marks.map((one) => [addressOf(one), one]))
  const cells: Record<string, (one: Delivered) => string> = {
    address: addressOf,
    protocol: ({ protocol }) => protocol,
    country: (one) => placeOf(one).country,
    city: (one) => placeOf(one).city,
    expires: ({ about }) => vendorMoment(about.expires),
    for: (one) => buyerName(markOf.get(addressOf(one))?.buyer ?? null),
    sent: (one) => {
      const sent = markOf.get(addressOf(one))?.sent
      return sent ? moment(sent.at) : ''
    },
    other: ({ about }) => about.other.map(factText).join(' · '),
  }
  return {
    name: 'proxytill-order',
    columns: shown.map(({ label }) => ({ label, number: false })),
    rows: goods.map((one) => shown.map(({ id }) => cells[id]?.(one) ?? '')),
  }
}
