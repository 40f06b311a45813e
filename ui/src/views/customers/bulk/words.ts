/** Words for bulks. */
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftRow } from '../../../bindings/DraftRow'
import { decimal } from '../../../lib/format'
import { has, t } from '../../../lib/i18n.svelte'

/** Returns a title such as "Add traffic · 200 customers". */
export function bulkTitle(view: BulkView): string {
  const kind = view.active === null ? view.kind : view.active ? 'enable' : 'disable'
  // There are no bulks of orders.
  return t(kind === 'place-and-pay' ? 'bulk.many' : `bulk.of-${kind}`, {
    count: view.rows,
    rows: decimal(String(view.rows)),
  })
}

/** Returns the number of rows that have ended or wait for the user. */
export function settledRows(view: BulkView): number {
  return view.rows - view.counts.waiting - view.counts.underWay
}

/** Says why a row is not sent. */
export function problemWords(row: DraftRow): string {
  const key = `bulk.problem-${row.problem}`
  return has(key) ? t(key, { near: row.near ?? '', text: row.text }) : (row.problem ?? '')
}

/** Returns the state of a row, or why it was left out. */
export function stateWords(state: string, kind: string): string {
  // No read shows a password or a status, so nothing is being checked.
  if (state === 'refused' && (kind === 'password' || kind === 'status')) return t('states.refused-uncertain')
  const key = [`bulk.state-${state}`, `states.${state}`].find(has)
  return key ? t(key) : state
}

export function reasonWords(reason: string): string {
  return (
    [`bulk.reason-${reason}`, `bulk.problem-${reason}`]
      .filter(has)
      .map((key) => t(key, { near: '', text: '' }))[0] ?? reason
  )
}
