/** The rows of a draft as they are shown, for the clipboard. */
import type { PlacedRow } from '../../../bindings/PlacedRow'
import { t } from '../../../lib/i18n.svelte'
import type { Sheet } from '../../../lib/sheet'
import type { Act } from './acts'
import { checkWords } from './words'

/** Amounts are in GB; what is left before and after is in MB, as the vendor counts it. */
export function draftSheet(drafted: PlacedRow[], act: Act, moves: boolean): Sheet {
  const figures = ['bulk.gb', 'bulk.before-mb', 'bulk.after-mb'] as const
  const amounts = moves ? figures.map((key) => ({ label: t(key), number: true })) : []
  return {
    name: 'proxytill-bulk',
    columns: [
      { label: t('bulk.source-line'), number: true },
      { label: t('traffic.customer'), number: false },
      ...amounts,
      { label: t('bulk.check'), number: false },
    ],
    rows: drafted.map(({ at, row }) => [
      String(row.line || at + 1),
      row.name,
      ...(moves ? [row.gb ?? '', row.before ?? '', row.problem ? '' : (row.after ?? '')] : []),
      checkWords(row, act),
    ]),
  }
}
