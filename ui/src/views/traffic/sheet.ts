/** The tables of records and of consumption: their columns, and their rows for a file or the clipboard. */
import type { ConsumptionRow } from '../../bindings/ConsumptionRow'
import type { RecordList } from '../../bindings/RecordList'
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import type { Column } from '../../lib/columns.svelte'
import { vendorMoment } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import { recordWord } from '../../lib/operationWords'
import type { Sheet } from '../../lib/sheet'

/** A head of a file; amounts are in MB. */
const head = ({ label, number = false }: Pick<Column, 'label' | 'number'>) => ({
  label: number ? `${label}, MB` : label,
  number,
})

/** The name of the account in records: a customer's where it was given to one, and the giver's where it was received. */
export function accountLabel(received: boolean): string {
  return t(received ? 'traffic.source' : 'traffic.customer')
}

/** All columns of the records, in the user's language. */
export function recordColumns(received: boolean): Column[] {
  return [
    { id: 'when', label: t('traffic.when'), sort: 'when' },
    { id: 'account', label: accountLabel(received), sort: 'account', always: true },
    { id: 'what', label: t('traffic.what'), sort: 'what' },
    { id: 'amount', label: t('traffic.amount'), number: true, sort: 'amount' },
    { id: 'by', label: t('traffic.by'), sort: 'by' },
    { id: 'customer', label: t('traffic.customer-id') },
    { id: 'operator', label: t('traffic.operator-id') },
  ]
}

/** The text of a cell. */
export function recordCell(id: string, row: TrafficRecord): string {
  switch (id) {
    case 'when':
      return row.createTime ? vendorMoment(row.createTime) : ''
    case 'account':
      return row.account
    case 'what':
      return recordWord(row.typeDesc)
    case 'amount':
      return row.flowCount
    case 'by':
      return row.createBy
    case 'customer':
      return row.customerId
    default:
      return row.createId
  }
}

/** The records with the columns shown. */
export function recordsSheet(list: RecordList, rows: TrafficRecord[], shown: Column[]): Sheet {
  return {
    name: `proxytill-records-${list}`,
    columns: shown.map(head),
    rows: rows.map((row) => shown.map(({ id }) => recordCell(id, row))),
  }
}

/** The columns of consumption. Over the vendor's own network (NNI), only the sum is reported. */
export function consumptionColumns(nni: boolean): Column[] {
  const ways: Column[] = [
    { id: 'upload', label: t('traffic.upload'), number: true, sort: 'upload' },
    { id: 'download', label: t('traffic.download'), number: true, sort: 'download' },
  ]
  return [
    { id: 'day', label: t('traffic.day'), sort: 'when', always: true },
    ...(nni ? [] : ways),
    { id: 'sum', label: t('traffic.both'), number: true, sort: 'sum' },
  ]
}

/** The text of a cell: a day, or MB; empty: not reported. */
export function consumptionCell(id: string, row: ConsumptionRow): string {
  switch (id) {
    case 'day':
      return row.date
    case 'upload':
      return row.upload ?? ''
    case 'download':
      return row.download ?? ''
    default:
      return row.sum ?? ''
  }
}

/** Consumption in the order of the table, with the columns shown. */
export function consumptionSheet(nni: boolean, rows: ConsumptionRow[], shown: Column[]): Sheet {
  return {
    name: `proxytill-consumption-${nni ? 'nni' : 'general'}`,
    columns: shown.map(head),
    rows: rows.map((row) => shown.map(({ id }) => consumptionCell(id, row))),
  }
}
