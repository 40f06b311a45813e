/** The amounts above which a system dialog asks again, as typed. */
import type { Limits } from '../../bindings/Limits'
import { t } from '../../lib/i18n.svelte'
import { Work } from '../../lib/resource.svelte'
import { session } from '../../lib/session.svelte'
import { amountTyped, gbTyped, isPlainAmount } from './amounts'

export const LIMITS = ['pay', 'operation', 'day'] as const satisfies (keyof Limits)[]

export class LimitsForm {
  private readonly saved = $derived(session.boot?.settings.limits)
  typed = $state<Record<keyof Limits, string>>({
    pay: this.saved?.pay ?? '',
    operation: this.saved?.operation ?? '',
    day: this.saved?.day ?? '',
  })
  readonly saving = new Work()
  readonly isWrong = $derived(LIMITS.some((name) => this.wrong(name) !== ''))
  readonly isChanged = $derived(LIMITS.some((name) => this.amount(name) !== (this.saved?.[name] ?? '')))

  /** What is wrong with a limit; empty: nothing. */
  wrong(name: keyof Limits): string {
    const amount = this.amount(name)
    return amount && !isPlainAmount(amount) ? t('invalid.limit') : ''
  }

  private amount(name: keyof Limits): string {
    return name === 'pay' ? amountTyped(this.typed[name]) : gbTyped(this.typed[name])
  }

  /** Returns whether they are saved. */
  async save(): Promise<boolean> {
    const settings = session.boot?.settings
    if (!settings || this.isWrong) return false
    const limit = (name: keyof Limits) => this.amount(name) || null
    const limits = { pay: limit('pay'), operation: limit('operation'), day: limit('day') }
    return this.saving.once(() => session.saveSettings({ ...settings, limits }))
  }
}
