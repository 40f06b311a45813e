/** Kinds of operations. Apart from their words, because the frame needs them at the start. */
import type { OperationKind } from '../bindings/OperationKind'

/** Whether it is paid from the wallet. */
export function isPayment(kind: OperationKind): kind is 'place-and-pay' | 'renew' {
  return kind === 'place-and-pay' || kind === 'renew'
}
