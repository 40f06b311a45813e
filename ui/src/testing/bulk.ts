/** Bulks for tests, with only the fields that these need. */
import type { BulkOffered } from '../bindings/BulkOffered'
import type { BulkView } from '../bindings/BulkView'
import type { DraftTotals } from '../bindings/DraftTotals'
import { part } from './program'

export const totals = (good: number, of: Partial<DraftTotals> = {}) =>
  part<DraftTotals>({ draft: 1, kind: 'recharge', active: false, rows: 5, good, beyondOwn: false, ...of })

export const view = (of: Partial<BulkView> = {}) =>
  part<BulkView>({ id: 'b', kind: 'recharge', state: 'running', ...of })

export const offered = (token: string) => part<BulkOffered>({ token, typed: true })
