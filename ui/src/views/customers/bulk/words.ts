/** Words for bulks. */
import type { BulkView } from '../../../bindings/BulkView'
import type { DraftRow } from '../../../bindings/DraftRow'
import type { LeftOut } from '../../../bindings/LeftOut'
import type { OperationKind } from '../../../bindings/OperationKind'
import type { RowReason } from '../../../bindings/RowReason'
import type { RowState } from '../../../bindings/RowState'
import type { Tone } from '../../../components/StateMark.svelte'
import { decimal, traffic } from '../../../lib/format'
import { t } from '../../../lib/i18n.svelte'
import { TONES } from '../../../lib/operationWords'
import type { Act } from './acts'

/** Returns a title such as "Add traffic · 200 customers". */
export function bulkTitle(view: BulkView): string {
  const kind = view.active === null ? view.kind : view.active ? 'enable' : 'disable'
  // There are no bulks of orders and renewals.
  return t(kind === 'place-and-pay' || kind === 'renew' ? 'bulk.many' : `bulk.of-${kind}`, {
    count: view.rows,
    rows: decimal(String(view.rows)),
  })
}

/** Returns the word for its state. A bulk has not ended while rows that were sent are being checked. */
export function bulkState({ state, counts }: BulkView) {
  if (state !== 'finished') return state
  if (counts.underWay > 0) return 'finished-checking'
  if (counts.unconfirmed > 0) return 'finished-open'
  return counts.notDone + counts.skipped > 0 ? 'finished-left' : 'finished'
}

const BULK_TONES: Record<ReturnType<typeof bulkState>, Tone> = {
  running: 'working',
  paused: 'waiting',
  finished: 'done',
  'finished-checking': 'working',
  'finished-left': 'neutral',
  'finished-open': 'waiting',
}

export function bulkTone(view: BulkView): Tone {
  return BULK_TONES[bulkState(view)]
}

/** Counts the rows that were sent among those to send. Rows that were left out are neither. */
export function sentRows({ rows, counts }: BulkView): { sent: number; all: number } {
  const all = rows - counts.skipped
  return { sent: all - counts.waiting, all }
}

/** Returns the number of rows that have ended or wait for the user. */
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

/** Says why a row of a draft is not sent; empty if it is sent. */
export function problemWords({ problem, near, text }: DraftRow): string {
  if (!problem) return ''
  const quoting = QUOTING.find((one) => one === problem)
  return quoting ? t(`bulk.problem-${quoting}`, { near: near ?? '', text }) : t(`bulk.reason-${problem}`)
}

/** Says how the amount of a row came about, or why it is not known; empty: somebody wrote it. */
function basisWords({ basis }: DraftRow): string {
  if (!basis) return ''
  if (basis.basis !== 'usage') return t(`bulk.basis-${basis.basis}`)
  const { aDay, days, left } = basis
  return t('bulk.basis-usage', { aDay: traffic(aDay), left: traffic(left), count: days, days })
}

/** Says what becomes of a row of a draft: why it is not sent, or what is. */
export function checkWords(row: DraftRow, act: Act): string {
  const why = basisWords(row)
  if (row.problem === 'enough-left') return t('common.is', { what: problemWords(row), value: why })
  if (why && (!row.problem || row.problem === 'no-amount')) return why
  if (row.problem) return problemWords(row)
  if (act === 'password') return t(row.typed ? 'bulk.password-typed' : 'bulk.password-made')
  const { askedMb, gb, mb } = row
  if (!askedMb || !gb || !mb) return t('bulk.will-be-sent')
  return t('bulk.nearest', { asked: decimal(askedMb), gb: decimal(gb), mb: decimal(mb) })
}

export const ROW_TONES: Record<RowState, Tone> = {
  ...TONES,
  waiting: 'neutral',
  skipped: 'neutral',
  retried: 'neutral',
}

/** Returns the state of a row. */
export function stateWords(state: RowState, kind: OperationKind): string {
  // No read shows a password or a status, so nothing is being checked.
  if (state === 'refused' && (kind === 'password' || kind === 'status')) return t('states.refused-uncertain')
  const isOwn = state === 'waiting' || state === 'skipped' || state === 'retried'
  return t(isOwn ? `bulk.state-${state}` : `states.${state}`)
}

/** Why a row was left out, or why somebody is asked about it. */
export function reasonWords(reason: RowReason): string {
  return t(`bulk.reason-${reason}`)
}
