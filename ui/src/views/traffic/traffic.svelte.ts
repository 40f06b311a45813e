/** Traffic: the balances of both accounts, and three parts, one of which is shown. */
import type { Call } from '../../lib/ipc'
import { Consumption } from './consumption.svelte'
import { Records } from './records.svelte'
import { Totals } from './totals.svelte'
import { Usage } from './usage.svelte'

export const PARTS = ['usage', 'consumption', 'records'] as const
export type Part = (typeof PARTS)[number]

export class Traffic {
  part = $state<Part>('usage')
  readonly totals: Totals
  readonly usage: Usage
  readonly consumption: Consumption
  readonly records: Records

  constructor(call: Call) {
    this.totals = new Totals(call)
    this.usage = new Usage(call)
    this.consumption = new Consumption(call)
    this.records = new Records(call)
  }

  /** Shows who used the traffic of a day. */
  showCustomersOf(day: string): void {
    this.usage.showCustomersOf(day, 'day')
    this.part = 'usage'
  }

  /** Shows the traffic that was given to an account. */
  showRecordsOf(account: string): void {
    this.records.showOnly(account)
    this.part = 'records'
  }
}
