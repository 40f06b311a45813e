/** How an operation's state looks and reads. */
import type { OperationState } from '../../bindings/OperationState'
import type { OperationView } from '../../bindings/OperationView'
import type { Tone } from '../../components/StateMark.svelte'
import { has, t } from '../../lib/i18n.svelte'

export const TONES: Record<OperationState, Tone> = {
  prepared: 'working',
  sending: 'working',
  verifying: 'working',
  applied: 'done',
  rejected: 'refused',
  'not-sent': 'neutral',
  unknown: 'waiting',
  'resolved-applied': 'done',
  'resolved-not': 'neutral',
  'needs-you': 'waiting',
}

/** What happened and what is safe, in one or two sentences. */
export function explanation(operation: OperationView): string {
  const code = operation.refusal?.code
  if (operation.state === 'rejected' && code && has(`errors.vendor-${code}.what`)) {
    return `${t(`errors.vendor-${code}.what`)} ${t(`errors.vendor-${code}.next`)}`
  }
  // Every repeat lost its answer, or one was answered with a no: different things to look for.
  if (operation.state === 'needs-you' && code && !has(`answers.${code}`))
    return t('operation.needs-you-refused')
  const reason = operation.reason && `operation.${operation.state}-${operation.reason}`
  return t(reason && has(reason) ? reason : `operation.${operation.state}`)
}

/** One event in words: a state, a cause, or the class of an answer. */
export function eventWords(what: string): string {
  const [word, rest] = what.split(' ', 2)
  if (word === 'answer' && rest)
    return t('events.answer', { what: has(`answers.${rest}`) ? t(`answers.${rest}`) : rest })
  return has(`events.${what}`) ? t(`events.${what}`) : what
}

/** What it does, as a sentence: "Buy 3 IPs for 8.55 USD". */
export function title(operation: OperationView, sum: string): string {
  return t(`operation.${operation.kind}`, { ips: ips(operation), sum })
}

/** The same beside a column of amounts: "Buy 3 IPs". */
export function shortTitle(operation: OperationView): string {
  return t(`operation.${operation.kind}-short`, { ips: ips(operation) })
}

function ips(operation: OperationView): string {
  return t('buy.ips', { count: operation.purchase?.purchaseIpCount ?? 0 })
}
