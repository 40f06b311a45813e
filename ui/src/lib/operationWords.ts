/** Words and tones for the state of an operation. */
import type { OperationEvent } from '../bindings/OperationEvent'
import type { OperationState } from '../bindings/OperationState'
import type { OperationView } from '../bindings/OperationView'
import type { Tone } from '../components/StateMark.svelte'
import { decimal, moment, money, vendorMoment } from './format'
import { first, has, paragraph, t } from './i18n.svelte'
import { isPayment } from './kinds'

export const TONES: Record<OperationState, Tone> = {
  prepared: 'working',
  sending: 'working',
  verifying: 'working',
  applied: 'done',
  refused: 'working',
  rejected: 'refused',
  'not-sent': 'neutral',
  unknown: 'waiting',
  'resolved-applied': 'done',
  'resolved-not': 'neutral',
  'needs-you': 'waiting',
}

/** The tone of its state. */
export function toneOf(operation: OperationView): Tone {
  return isOtherwise(operation) ? 'waiting' : TONES[operation.state]
}

/** Whether a payment was carried out, but not as it was confirmed. */
function isOtherwise({ alarm, isDone, kind }: OperationView): boolean {
  return alarm && isDone && isPayment(kind)
}

/** The confirmed amount: money, or traffic in both units. */
export function amountOf(operation: OperationView): string {
  const { amount, currency, mb } = operation
  if (!isPayment(operation.kind) && mb === null) return ''
  return mb === null
    ? money(amount, currency)
    : t('move.both-units', { gb: decimal(amount), mb: decimal(mb) })
}

/** Its state in a word or two. A mere record is not called confirmed: somebody else may have moved the same amount. */
export function stateWord(operation: OperationView): string {
  // No read shows a password or a status, so nothing is being checked.
  const isSetting = operation.kind === 'password' || operation.kind === 'status'
  if (isSetting && operation.state === 'refused') return t('states.refused-uncertain')
  if (isOtherwise(operation)) return t('states.applied-otherwise')
  return t(operation.isOnlyFound ? 'states.found' : `states.${operation.state}`)
}

/** Says what happened and what is safe, in one or two sentences. */
export function explanation(operation: OperationView, inMemory = false): string {
  if (isPayment(operation.kind)) return orderExplanation(operation)
  return operation.moved ? moveExplanation(operation) : accountExplanation(operation, inMemory)
}

/** For create, password and status. What no read shows is called accepted, never confirmed. */
function accountExplanation(operation: OperationView, inMemory: boolean): string {
  const { state, reason, kind, events } = operation
  const words = first(
    [
      inMemory && `account.${kind}-${state}-in-memory`,
      reason && `account.${kind}-${state}-${reason}`,
      reason && `account.${state}-${reason}`,
      `account.${kind}-${state}`,
      `account.${state}`,
    ],
    `states.${state}`,
  )
  const time = moment(events.at(-1)?.at ?? operation.created)
  return t(words, { name: operation.userName, time, said: said(operation) })
}

function moveExplanation(operation: OperationView): string {
  const { state, reason, kind, events } = operation
  const words = first(
    [
      operation.alarm && `move.${state}-alarm`,
      reason && `move.${kind}-${state}-${reason}`,
      reason && `move.${state}-${reason}`,
      operation.isOnlyFound && 'move.resolved-applied-found',
      state === 'resolved-applied' &&
        events.some((event) => event.word === 'judged') &&
        'move.judged-applied',
      `move.${kind}-${state}`,
      `move.${state}`,
    ],
    `states.${state}`,
  )
  const time = moment(events.at(-1)?.at ?? operation.created)
  return t(words, {
    name: operation.moved?.userName ?? '',
    time,
    amount: amountOf(operation),
    said: said(operation),
    at: vendorMoment(operation.found?.createTime ?? ''),
    who: operation.found?.createBy || t('order.untold'),
  })
}

/** Returns the vendor's message, or its code if there is none. */
function said({ refusal }: OperationView): string {
  return refusal?.message || refusal?.code || ''
}

function orderExplanation(operation: OperationView): string {
  const code = operation.refusal?.code
  const [what, next] = [`errors.vendor-${code}.what`, `errors.vendor-${code}.next`]
  if (operation.state === 'rejected' && has(what) && has(next)) {
    // What refuses a token refuses reads too, and its words say nothing of money.
    const safe = !!code?.startsWith('200') && t('operation.nothing-charged')
    return paragraph(t(what), safe, t(next))
  }
  if (operation.isTooLateToResend)
    return t(operation.kind === 'renew' ? 'operation.too-late-renew' : 'operation.too-late')
  // Either every repeat lost its answer or one was refused; the user has to check different things.
  if (operation.state === 'needs-you' && code && !has(`answers.${code}`))
    return t('operation.needs-you-refused')
  const { state, reason } = operation
  const silent = state === 'rejected' && !said(operation) && 'operation.rejected-silently'
  const otherwise = state === 'refused' ? 'states.refused' : (`operation.${state}` as const)
  const otherThanAsked = isOtherwise(operation) && otherwiseWords(operation)
  const keys = [otherThanAsked, reason && `operation.${state}-${reason}`, silent]
  return t(first(keys, otherwise), { said: said(operation) })
}

/** Says in what a payment differs from what was confirmed: in its sum, or in what was done for it. */
function otherwiseWords({ kind, order, amount }: OperationView) {
  if (kind !== 'renew') return 'operation.paid-otherwise'
  return order?.amount === amount ? 'operation.renew-alarm-ips' : 'operation.renew-alarm'
}

/** Describes an event: a state, a cause, or the class of an answer. A word of a newer version is shown as stored. */
export function eventWords({ what, word, answer }: OperationEvent): string {
  if (answer === null) return word ? t(`events.${word}`) : what
  const key = first([`answers.${answer}`, `codes.${answer}`], 'events.code')
  return t('events.answer', { what: t(key, { code: answer }) })
}

/** Says what it does: "Buy 3 IPs for 8.55 USD". */
export function title(operation: OperationView): string {
  return t(`operation.${verb(operation)}`, values(operation))
}

/**
 * Splits the title, or the short one, at the customer's name, into what is before and after it. A title without a name
 * is not split.
 */
export function titleAround(operation: OperationView, short = false): string[] {
  const mark = '\u0000'
  const key = short ? shortKey(operation) : (`operation.${verb(operation)}` as const)
  return t(key, { ...values(operation), name: mark }).split(mark)
}

/** Says what it does, without the amount, which has its own column: "Buy 3 IPs". */
export function shortTitle(operation: OperationView): string {
  return t(shortKey(operation), values(operation))
}

function shortKey(operation: OperationView) {
  const key = `operation.${verb(operation)}` as const
  return first([`${key}-short`], key)
}

function verb({ kind, active }: OperationView) {
  if (kind !== 'status') return kind
  return active ? 'status-enabled' : 'status-disabled'
}

function values(operation: OperationView): Record<string, string> {
  const { purchase, renewal } = operation
  return {
    sum: amountOf(operation),
    ips: t('buy.ips', { count: renewal?.ips.length ?? purchase?.purchaseIpCount ?? 0 }),
    days: t('traffic.days', { count: renewal?.periodDays ?? 0 }),
    gb: decimal(operation.amount),
    name: operation.userName,
  }
}

/** Translates the vendor's word for a record, if it is known. */
export function recordWord(word: string): string {
  const key = `traffic.kinds.${word}`
  return has(key) ? t(key) : word
}

/** The operation as it is at a moment: its key may have become too old since it was read. `now`: ms since 1970. */
export function asOf(operation: OperationView, now: number): OperationView {
  const { resendsUntil } = operation
  if (resendsUntil === null || now < resendsUntil) return operation
  return { ...operation, mayResend: false, resendsUntil: null, isTooLateToResend: true }
}

/** Whether the newest check did not confirm both of a doubled move that is not reversed yet. */
export function showsFewer({ reason, counteredBy, events }: OperationView): boolean {
  const seen = ['looked-nothing', 'looked-once', 'looked-twice', 'looked-disagree', 'looked-surplus']
  const last = events.findLast(({ what }) => seen.includes(what))
  return reason === 'doubled' && counteredBy === null && last !== undefined && last.what !== 'looked-twice'
}
