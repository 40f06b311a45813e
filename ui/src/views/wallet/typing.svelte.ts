/** The form of the wallet: what is typed about its balance, and the removal of what was typed by mistake. */
import type { Wallet as View } from '../../bindings/Wallet'
import type { WalletTyped } from '../../bindings/WalletTyped'
import { dayHere, readDay } from '../../lib/days'
import { fieldError } from '../../lib/errors'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Work } from '../../lib/resource.svelte'
import { plain } from '../../lib/typed'
import type { Wallet } from '../../lib/wallet.svelte'

export const WHAT = ['balance', 'added', 'spent'] as const satisfies WalletTyped[]

/** A time of day, as in 9:05. */
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/

export class Typing {
  what = $state<WalletTyped>('balance')
  amount = $state('')
  day = $state('')
  time = $state('')
  /** Whether the person tried to save, so that wrong times are marked. */
  private tried = $state(false)
  private readonly work = new Work()
  private begun: { day: string; time: string } = { day: '', time: '' }
  readonly busy = $derived(this.work.busy)
  readonly amountError = $derived(fieldError(this.work.error, 'wallet-amount'))
  readonly dayError = $derived(
    (this.tried && !readDay(plain(this.day).trim()) ? t('invalid.wallet-day') : '') ||
      fieldError(this.work.error, 'wallet-at'),
  )
  readonly timeError = $derived(
    this.tried && !TIME.test(plain(this.time).trim()) ? t('invalid.wallet-time') : '',
  )
  /** An error that belongs to no field; null: none. */
  readonly error = $derived(this.work.error?.code === 'invalid' ? null : this.work.error)

  constructor(
    private readonly call: Call,
    private readonly wallet: Wallet,
    private readonly now: () => number = Date.now,
  ) {
    this.begin()
  }

  /** Empties the form. Its time is now. */
  private begin(): void {
    const now = this.now()
    this.amount = ''
    this.tried = false
    this.day = dayHere(now)
    const date = new Date(now)
    this.time = `${date.getHours()}:${String(date.getMinutes()).padStart(2, '0')}`
    this.begun = { day: this.day, time: this.time }
  }

  choose(what: string): void {
    this.what = WHAT.find((one) => one === what) ?? 'balance'
    this.work.error = null
  }

  /** The time of the balance in ms since 1970; null: now; undefined: it is wrong. */
  private at(): number | null | undefined {
    const [typedDay, typedTime] = [plain(this.day).trim(), plain(this.time).trim()]
    if (this.what !== 'balance') return null
    if (typedDay === this.begun.day && typedTime === this.begun.time) return null
    const [day, time] = [readDay(typedDay), TIME.exec(typedTime)]
    if (!day || !time) return undefined
    return new Date(day.year, day.month - 1, day.day, Number(time[1]), Number(time[2])).getTime()
  }

  /** Saves what is typed. Returns whether it was saved. */
  async save(): Promise<boolean> {
    const at = this.at()
    this.tried = this.what === 'balance'
    if (at === undefined) return false
    const typing = { what: this.what, amount: plain(this.amount), at }
    return await this.change(() => this.call('type_wallet', typing))
  }

  /** Removes what was typed by mistake. */
  async remove(number: number): Promise<void> {
    await this.change(() => this.call('untype_wallet', number))
  }

  private async change(ask: () => Promise<View>): Promise<boolean> {
    let done = false
    await this.work.once(async () => {
      this.wallet.take(await ask())
      done = true
    })
    if (done) this.begin()
    return done
  }
}
