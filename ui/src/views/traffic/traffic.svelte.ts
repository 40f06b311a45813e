/** Traffic: what is left on both accounts, and three parts, one of which is shown. */
import type { Call } from '../../lib/ipc'
import { Consumption } from './consumption.svelte'
import { Records } from './records.svelte'
import { Totals } from './totals.svelte'
import { Usage } from './usage.svelte'

export class Traffic {
  part = $state<'usage' | 'consumption' | 'records'>('usage')
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
}
