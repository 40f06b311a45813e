/** Bulks in words. */
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftRow } from '../../../bindings/DraftRow'
import { decimal } from '../../../lib/format'
import { has, t } from '../../../lib/i18n.svelte'

/** "Add traffic · 200 customers". */
export function bulkTitle(view: BulkView): string {
  const kind = view.active === null ? view.kind : view.active ? 'enable' : 'disable'
  return t(`bulk.of-${kind}`, { count: view.rows, rows: decimal(String(view.rows)) })
}

/** Rows that have their end or their question. */
export function settledRows(view: BulkView): number {
  return view.rows - view.counts.waiting - view.counts.underWay
}

/** Why a row is not sent. */
export function problemWords(row: DraftRow): string {
  return row.problem ? t(`bulk.problem-${row.problem}`, { near: row.near ?? '', text: row.text }) : ''
}

/** A row's state, or why it was left out. */
export function stateWords(state: string, kind: string): string {
  // No read shows a password or a status: nothing is being checked.
  if (state === 'refused' && (kind === 'password' || kind === 'status')) return t('states.refused-uncertain')
  return has(`bulk.state-${state}`) ? t(`bulk.state-${state}`) : t(`states.${state}`)
}

export function reasonWords(reason: string): string {
  return (
    [`bulk.reason-${reason}`, `bulk.problem-${reason}`]
      .filter(has)
      .map((key) => t(key, { near: '', text: '' }))[0] ?? reason
  )
}
