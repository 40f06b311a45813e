/** The columns of the tables of usage. */
import type { Column } from '../../lib/columns.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Usage } from './usage.svelte'

/** Of the table by time or by customer: what a row is, and the amounts of the chosen direction. */
export function usageColumns({ way, amounts }: Pick<Usage, 'way' | 'amounts'>): Column[] {
  return [
    { id: 'name', label: t(`traffic.${way}`), always: true },
    ...amounts.map((id) => ({
      id,
      label: t(id === 'sum' ? 'traffic.both' : `traffic.${id}`),
      number: true,
    })),
  ]
}

/** Of the rows of the report. */
export function usageRowColumns(): (Column & { wide?: boolean })[] {
  return [
    { id: 'day', label: t('traffic.day') },
    { id: 'customer', label: t('traffic.customer'), wide: true, always: true },
    { id: 'id', label: t('customers.id') },
    { id: 'upload', label: t('traffic.upload'), number: true },
    { id: 'download', label: t('traffic.download'), number: true },
  ]
}
