/** The actions for many customers. */
import type { OperationKind } from '../../../bindings/OperationKind'

/** By the ids of their options. */
export const ACTS = {
  recharge: { kind: 'recharge', active: false },
  deduct: { kind: 'deduction', active: false },
  password: { kind: 'password', active: false },
  enable: { kind: 'status', active: true },
  disable: { kind: 'status', active: false },
  create: { kind: 'create', active: false },
} as const satisfies Record<string, { kind: OperationKind; active: boolean }>
export type Act = keyof typeof ACTS

export function actOf(kind: OperationKind, active: boolean): Act {
  const acts = Object.entries(ACTS) as [Act, (typeof ACTS)[Act]][]
  return acts.find(([, act]) => act.kind === kind && act.active === active)?.[0] ?? 'recharge'
}
