/** The form of the wallet: what is typed about its balance, and the removal of what was typed by mistake. */
import type { Wallet as View } from '../../bindings/Wallet'
import type { WalletSeen } from '../../bindings/WalletSeen'
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
/** In ms. */
const MINUTE = 60_000

export class Typing {
  what = $state<WalletTyped>('balance')
  private sum = $state('')
  day = $state('')
  time = $state('')
  /** Whether the person tried to save, so that wrong times are marked. */
  private tried = $state(false)
  private readonly work = new Work()
  /** The time that the form shows by itself. */
  private begun: { day: string; time: string } = { day: '', time: '' }
  /** When the form was opened or emptied, and when its amount was last changed, in ms since 1970. */
  private opened = 0
  private changed = 0
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

  get amount(): string {
    return this.sum
  }

  /** Takes a typed amount. An untouched time moves on to now: a person sees the balance until its amount is typed. */
  set amount(amount: string) {
    this.sum = amount
    this.changed = this.now()
    if (this.isUntouched()) this.show(this.changed)
  }

  /** Empties the form. Its time is now. */
  private begin(): void {
    this.sum = ''
    this.tried = false
    this.opened = this.changed = this.now()
    this.show(this.opened)
  }

  private show(now: number): void {
    const date = new Date(now)
    this.day = dayHere(now)
    this.time = `${date.getHours()}:${String(date.getMinutes()).padStart(2, '0')}`
    this.begun = { day: this.day, time: this.time }
  }

  private isUntouched(): boolean {
    return plain(this.day).trim() === this.begun.day && plain(this.time).trim() === this.begun.time
  }

  choose(what: string): void {
    this.what = WHAT.find((one) => one === what) ?? 'balance'
    this.work.error = null
  }

  /** When the balance was seen: while the form was open, or in the minute that was typed; undefined: it is wrong. */
  private seen(): WalletSeen | undefined {
    // The clock may have been set meanwhile.
    if (this.isUntouched())
      return { from: Math.min(this.opened, this.changed), until: Math.max(this.opened, this.changed) }
    const [day, time] = [readDay(plain(this.day).trim()), TIME.exec(plain(this.time).trim())]
    if (!day || !time) return undefined
    const from = new Date(day.year, day.month - 1, day.day, Number(time[1]), Number(time[2])).getTime()
    return { from, until: from + MINUTE - 1 }
  }

  /** Saves what is typed. Returns whether it was saved. */
  async save(): Promise<boolean> {
    const isBalance = this.what === 'balance'
    const seen = isBalance ? this.seen() : null
    this.tried = isBalance
    if (seen === undefined) return false
    const typing = { what: this.what, amount: plain(this.amount), seen }
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
