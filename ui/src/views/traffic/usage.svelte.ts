/** Who used how much: asked of what is kept here, which is brought up to date from the vendor. */
import type { CommandError } from '../../bindings/CommandError'
import type { CustomerUse } from '../../bindings/CustomerUse'
import type { DayUse } from '../../bindings/DayUse'
import type { UsageProgress } from '../../bindings/UsageProgress'
import type { UsageState } from '../../bindings/UsageState'
import { asCommandError, call, failure, onUsageProgress } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'
import { Span } from './span.svelte'

export class Usage {
  kept = $state.raw<UsageState | null>(null)
  progress = $state.raw<UsageProgress | null>(null)
  by = $state<'day' | 'customer'>('day')
  readonly span = new Span()
  days = $state.raw<DayUse[]>([])
  customers = $state.raw<CustomerUse[]>([])
  error = $state<CommandError | null>(null)
  /** Of the reading from the vendor. */
  readonly reading = new Wait()
  private asked = 0
  private querying = false
  private left = false
  readonly rows = $derived(this.progress?.rows ?? this.kept?.rows ?? 0)

  /** Shows what is kept, then reads what is new. Returns how to leave. */
  watch(): () => void {
    void this.begin()
    const listening = onUsageProgress((progress) => {
      this.progress = progress
      // One question at a time: the store is busy with the rows.
      if (!this.querying) void this.query()
    })
    return () => {
      this.left = true
      this.reading.stop()
      void listening.then((stop) => stop())
    }
  }

  private async begin(): Promise<void> {
    try {
      this.kept = await call('usage_state', null)
      this.span.last(30, this.kept.today)
      await this.query()
    } catch (thrown) {
      this.error = asCommandError(thrown)
      return
    }
    // Who has left meanwhile can not pause it any more.
    if (!this.left) await this.refresh()
  }

  async refresh(): Promise<void> {
    this.error = null
    try {
      this.kept = await this.reading.run((signal) => call('usage_sync', null, signal))
      this.progress = null
    } catch (thrown) {
      this.error = failure(thrown)
    }
    await this.query()
  }

  /** Asks what is kept about the span. */
  async query(): Promise<void> {
    const span = this.asSpan
    if (!span) return
    const asked = ++this.asked
    this.querying = true
    try {
      if (this.by === 'day') {
        const days = await call('usage_by_day', span)
        if (asked === this.asked) this.days = days.reverse()
      } else {
        const customers = await call('usage_by_customer', span)
        if (asked === this.asked) this.customers = customers
      }
    } catch (thrown) {
      if (asked === this.asked) this.error = asCommandError(thrown)
    } finally {
      if (asked === this.asked) this.querying = false
    }
  }

  /** An open end is the end of what is kept. */
  private get asSpan(): { from: string; to: string } | null {
    const { kept, span } = this
    if (!kept || !span.fits) return null
    return { from: span.from || (kept.oldest ?? kept.today), to: span.to || kept.today }
  }
}
