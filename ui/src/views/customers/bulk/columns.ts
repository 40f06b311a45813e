/** The columns of a bulk's rows. */
import type { Column } from '../../../lib/columns.svelte'
import { t } from '../../../lib/i18n.svelte'

/** The name under which the choice is remembered. */
export const ROWS = 'bulk'

export type RowColumn = Column & { width: string }

/** All columns, in the user's language. */
export function rowColumns(): RowColumn[] {
  return [
    { id: 'line', label: t('bulk.line'), medium: true, width: '40px' },
    { id: 'customer', label: t('traffic.customer'), always: true, width: 'minmax(88px, 1.4fr)' },
    { id: 'gb', label: t('bulk.gb'), number: true, width: 'minmax(56px, 0.6fr)' },
    { id: 'state', label: t('activity.state'), width: 'minmax(124px, 0.9fr)' },
    { id: 'reason', label: t('bulk.reason'), medium: true, width: 'minmax(72px, 1.4fr)' },
  ]
}
