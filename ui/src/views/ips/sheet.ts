/** The table of IPs: its columns, and its rows for a file or the clipboard. */
import type { GoodsOrder } from '../../bindings/GoodsOrder'
import type { GoodsView } from '../../bindings/GoodsView'
import type { ProxyTested } from '../../bindings/ProxyTested'
import type { Column } from '../../lib/columns.svelte'
import { addressOf, moment } from '../../lib/format'
import { buyerName, cityOf, countryOf, expiryOf, stateOf, testWords } from '../../lib/goods/words'
import { t } from '../../lib/i18n.svelte'
import type { Sheet } from '../../lib/sheet'
import { inSlices } from '../../lib/slices'

/** `order`: the rows can be sorted by it. `narrow`: its width where columns have given way. */
export type IpsColumn = Column & { order?: GoodsOrder; width: string; narrow?: string }

/** All columns of the table, in the user's language; without the buyer on a buyer's own page. */
export function ipsColumns(withBuyer = true): IpsColumn[] {
  const all: IpsColumn[] = [
    {
      id: 'address',
      order: 'address',
      label: t('goods.address'),
      always: true,
      width: 'minmax(172px, 1fr)',
      narrow: 'minmax(156px, 1.4fr)',
    },
    { id: 'protocol', order: 'protocol', minor: true, label: t('facts.protocol'), wide: true, width: '64px' },
    { id: 'place', order: 'place', minor: true, label: t('ips.place'), width: 'minmax(60px, 1.2fr)' },
    { id: 'ends', order: 'ends', minor: true, label: t('facts.expires'), width: '152px' },
    { id: 'buyer', order: 'buyer', label: t('ips.for'), width: 'minmax(52px, 1.1fr)' },
    { id: 'sent', order: 'sent', minor: true, label: t('ips.sent'), wide: true, width: '64px' },
    {
      id: 'order',
      order: 'order',
      minor: true,
      label: t('ips.order'),
      wide: true,
      width: 'minmax(40px, 1fr)',
    },
    { id: 'state', label: t('ips.state'), medium: true, width: '108px' },
  ]
  return all.filter(({ id }) => withBuyer || id !== 'buyer')
}

/**
 * The rows with the columns shown, without credentials. The note and, if any was tested, what the last test has shown
 * stand beside the address, as in the table.
 */
export async function ipsSheet(
  rows: GoodsView[],
  shown: Column[],
  testedOf: (key: string) => ProxyTested | undefined,
): Promise<Sheet> {
  const hasTests = rows.some(({ key }) => testedOf(key))
  const test = (row: GoodsView) => {
    const tested = testedOf(row.key)
    return tested ? t('tests.last', { outcome: testWords(tested.outcome), time: moment(tested.at) }) : ''
  }
  const cells: Record<string, (row: GoodsView) => string[]> = {
    address: (row) => [addressOf(row), ...(hasTests ? [test(row)] : []), row.note],
    protocol: (row) => [row.protocol],
    place: (row) => [countryOf(row), cityOf(row)],
    ends: (row) => [expiryOf(row, true)],
    buyer: (row) => [buyerName(row.buyer)],
    sent: (row) => [row.sent ? `${moment(row.sent.at)}, ${t(`ips.how.${row.sent.how}`)}` : ''],
    order: (row) => [
      row.elsewhere ? [t('ips.elsewhere'), row.orderNo].filter(Boolean).join(', ') : row.orderNo,
    ],
    state: (row) => [stateOf(row).label],
  }
  const heads: Record<string, string[]> = {
    address: [t('goods.address'), ...(hasTests ? [t('tests.column')] : []), t('ips.note')],
    place: [t('facts.country'), t('facts.city')],
    order: [t('order.number')],
  }
  return {
    name: 'proxytill-ips',
    columns: shown
      .flatMap(({ id, label }) => heads[id] ?? [label])
      .map((label) => ({ label, number: false })),
    rows: await inSlices(rows, (row) => shown.flatMap(({ id }) => cells[id]?.(row) ?? [])),
  }
}
