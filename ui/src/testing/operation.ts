/** Makes an operation as the program shows it: by default a pending order. */
import type { OperationView } from '../bindings/OperationView'

export function operation(of: Partial<OperationView> = {}): OperationView {
  return {
    id: 'one',
    kind: 'place-and-pay',
    target: 'wallet',
    state: 'sending',
    isOpen: true,
    isAtWork: true,
    isUnconfirmed: false,
    isDone: false,
    isOnlyFound: false,
    thereBefore: [],
    needsToken: false,
    reason: null,
    created: 0,
    nextAt: null,
    amount: '8.55',
    currency: 'USD',
    moved: null,
    mb: null,
    evidence: null,
    found: null,
    alarm: false,
    purchase: null,
    renewal: null,
    order: null,
    said: null,
    refusal: null,
    events: [],
    inDoubt: false,
    mayResend: false,
    resendsUntil: null,
    isTooLateToResend: false,
    mayJudge: false,
    mayCheck: false,
    customerId: null,
    userName: '',
    active: null,
    maySaveSecrets: false,
    bulk: null,
    mayTakeBack: false,
    counteredBy: null,
    ...of,
  }
}

const ENDED = { isOpen: false, isAtWork: false } as const
export const APPLIED = { ...ENDED, state: 'applied', isDone: true } as const
export const REJECTED = { ...ENDED, state: 'rejected' } as const
export const UNKNOWN = { state: 'unknown', isAtWork: false, isUnconfirmed: true } as const
