/** The list of customers for a file or the clipboard: everything that is known of each, whatever columns are shown. */
import type { CustomerRow } from '../../bindings/CustomerRow'
import { t } from '../../lib/i18n.svelte'
import type { Sheet } from '../../lib/sheet'

/** The rows in their order, with amounts in MB. */
export function customersSheet(rows: CustomerRow[]): Sheet {
  const text = (label: string) => ({ label, number: false })
  const number = (label: string) => ({ label, number: true })
  const word = (active: boolean) => t(active ? 'customers.enabled' : 'customers.disabled')
  return {
    name: 'proxytill-customers',
    columns: [
      text(t('traffic.customer')),
      text(t('customers.id')),
      number(`${t('traffic.recharged')}, MB`),
      number(`${t('customers.left')}, MB`),
      number(t('customers.days-left')),
      text(t('customers.last-use')),
      text(t('customers.set-here')),
      text(t('customers.tags')),
      text(t('customers.note')),
    ],
    rows: rows.map((row) => [
      row.userName,
      row.customerId,
      row.trafficCount ?? '',
      row.residualFlow ?? '',
      row.daysLeft === null ? '' : String(row.daysLeft),
      row.lastUse ?? '',
      row.status ? word(row.status.active) : '',
      row.tags.join(', '),
      row.note,
    ]),
  }
}
