/** Words and tones for the status of an order. */
import type { Tone } from '../../components/StateMark.svelte'
import { first, t } from '../i18n.svelte'

/** Returns the known name of a status, or else the vendor's own text; never a guess. */
export function statusWords(status: string | null): string {
  if (!status) return t('order.status-untold')
  return t(first([`order-status.${status}`], 'order.status-other'), { status })
}

const TONES: Record<string, Tone> = {
  '0': 'neutral',
  '1': 'waiting',
  '2': 'working',
  '3': 'working',
  '4': 'refused',
  '5': 'neutral',
  '10': 'neutral',
  '20': 'done',
}

export function statusTone(status: string | null): Tone {
  return TONES[status ?? ''] ?? 'neutral'
}

/** The statuses of orders that deliver nothing any more: cancelled, payment failed, expired, refunded. */
const OVER = new Set(['0', '4', '5', '10'])

/** Whether anything is still to be delivered. What was never reported is not said to be on its way. */
export function isLate(status: string | null, delivered: number | null, ordered: number | null): boolean {
  const isOver = status !== null && OVER.has(status)
  return !isOver && delivered !== null && ordered !== null && delivered < ordered
}
