/** Bulks in words. */
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftRow } from '../../../bindings/DraftRow'
import type { LeftOut } from '../../../bindings/LeftOut'
import { decimal } from '../../../lib/format'
import { has, t } from '../../../lib/i18n.svelte'

/** "Add traffic · 200 customers". */
export function bulkTitle(view: BulkView): string {
  const kind = view.active === null ? view.kind : view.active ? 'enable' : 'disable'
  // An order is no bulk.
  return t(kind === 'place-and-pay' ? 'bulk.many' : `bulk.of-${kind}`, {
    count: view.rows,
    rows: decimal(String(view.rows)),
  })
}

/** Rows that have their end or their question. */
export function settledRows(view: BulkView): number {
  return view.rows - view.counts.waiting - view.counts.underWay
}

/** Reasons that quote the row while it is a draft; the others read the same before and after. */
const QUOTING = [
  'ambiguous-number',
  'disabled',
  'duplicate',
  'not-carried',
  'unknown-unit',
  'which',
] as const satisfies LeftOut[]

/** Why a row of a draft is not sent; empty where it is. */
export function problemWords({ problem, near, text }: DraftRow): string {
  if (!problem) return ''
  const quoting = QUOTING.find((one) => one === problem)
  return quoting ? t(`bulk.problem-${quoting}`, { near: near ?? '', text }) : t(`bulk.reason-${problem}`)
}

/** A row's state, or why it was left out. */
export function stateWords(state: string, kind: string): string {
  // No read shows a password or a status: nothing is being checked.
  if (state === 'refused' && (kind === 'password' || kind === 'status')) return t('states.refused-uncertain')
  const key = [`bulk.state-${state}`, `states.${state}`].find(has)
  return key ? t(key) : state
}

export function reasonWords(reason: string): string {
  const key = `bulk.reason-${reason}`
  return has(key) ? t(key) : reason
}
