/** The practice menu: what is behind the stage. */
import type { CommandError } from '../../bindings/CommandError'
import type { PracticeState } from '../../bindings/PracticeState'
import { app } from '../../lib/app.svelte'
import { Reading } from '../../lib/figures.svelte'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call } from '../../lib/ipc'

/** A plain amount, as the service keeps it. */
const AMOUNT = /^\d{1,9}(\.\d{1,2})?$/

export class Practice {
  state = $state.raw<PracticeState | null>(null)
  wallet = $state('')
  readonly reading = new Reading('wallet')
  error = $state<CommandError | null>(null)
  readonly walletError = $derived(
    this.wallet === '' || AMOUNT.test(this.wallet.normalize('NFKC').trim())
      ? ''
      : t('invalid.practice-wallet-not-an-amount'),
  )

  async read(): Promise<void> {
    await this.run(async () => {
      this.state = await this.reading.run(() => call('practice_state', null))
    })
  }

  async setWallet(): Promise<void> {
    const amount = this.wallet.normalize('NFKC').trim()
    if (!AMOUNT.test(amount)) return
    await this.run(async () => {
      this.state = await call('practice_set_wallet', amount)
      this.wallet = ''
    })
  }

  async setSpeed(speed: number): Promise<void> {
    await this.run(async () => {
      this.state = await call('practice_set_speed', speed)
    })
  }

  async reset(): Promise<void> {
    await this.run(async () => {
      this.state = await call('practice_reset', null)
      app.notify(t('practice.was-reset'))
    })
  }

  private async run(work: () => Promise<void>): Promise<void> {
    this.error = null
    try {
      await work()
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }
}
