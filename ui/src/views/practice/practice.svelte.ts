/** The practice menu: the state of the practice service. */
import type { Mishap } from '../../bindings/Mishap'
import type { PracticeState } from '../../bindings/PracticeState'
import { figures, Reading } from '../../lib/figures.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { kept } from '../../lib/kept.svelte'
import { notices } from '../../lib/notices.svelte'
import { operations } from '../../lib/operations.svelte'
import { Resource } from '../../lib/resource.svelte'
import { route } from '../../lib/route.svelte'
import { plain } from '../../lib/typed'
import { usageReading } from '../../lib/usageReading.svelte'

/** A plain amount, as the service accepts it. */
const AMOUNT = /^\d{1,9}(\.\d{1,2})?$/

export const MISHAPS = [
  'lost-answer',
  'late-refusal',
  'slow-delivery',
  'doubled-deduction',
  'expired-price',
] as const satisfies Mishap[]

export class Practice {
  readonly state = new Resource<PracticeState | null>(null)
  wallet = $state('')
  readonly reading = new Reading('wallet')
  readonly walletError = $derived(
    this.wallet === '' || AMOUNT.test(plain(this.wallet).trim())
      ? ''
      : t('invalid.practice-wallet-not-an-amount'),
  )

  constructor(private readonly call: Call) {}

  async read(): Promise<void> {
    await this.reading.run(() => this.state.ask(() => this.call('practice_state', null)))
  }

  async setWallet(): Promise<void> {
    const amount = plain(this.wallet).trim()
    if (!AMOUNT.test(amount)) return
    await this.state.ask(
      () => this.call('practice_set_wallet', amount),
      () => {
        this.wallet = ''
      },
    )
  }

  async setSpeed(speed: number): Promise<void> {
    await this.state.ask(() => this.call('practice_set_speed', speed))
  }

  /** Plans a mishap; null: none. */
  async plan(mishap: Mishap | null): Promise<void> {
    await this.state.ask(() => this.call('practice_mishap', mishap))
  }

  async reset(): Promise<void> {
    // What is being read is that of the old world.
    usageReading.forget()
    const reset = await this.state.ask(() => this.call('practice_reset', null))
    if (!reset) return
    // Nothing on screen may speak of orders that the service no longer knows.
    operations.forget()
    figures.forget()
    kept.forget()
    route.order = null
    await operations.read()
    await this.read()
    notices.notify(t('practice.was-reset'))
  }
}
