/** One move of traffic in its dialog: figures read, amount typed, offer, confirmation. */
import type { CommandError } from '../../bindings/CommandError'
import type { Direction } from '../../bindings/Direction'
import type { MoveOffered } from '../../bindings/MoveOffered'
import type { MoveStart } from '../../bindings/MoveStart'
import { app } from '../../lib/app.svelte'
import { useGbFactor } from '../../lib/gbFactor.svelte'
import { asCommandError, call } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

export type MoveTarget = {
  direction: Direction
  customerId: string
  userName: string
  /** The operation that is taken back. */
  counterOf: string | null
}

export class Move {
  start = $state.raw<MoveStart | null>(null)
  gb = $state('')
  offer = $state.raw<MoveOffered | null>(null)
  /** About the amount. */
  wrong = $state<CommandError | null>(null)
  error = $state<CommandError | null>(null)
  sending = $state(false)
  /** The person knows that the vendor may still carry out what it refused before. */
  anyway = $state(false)
  readonly wait = new Wait()
  private asked = 0

  constructor(readonly target: MoveTarget) {}

  /** Reads the customer's figures now. What is typed stays. */
  async open(): Promise<void> {
    this.error = null
    this.offer = null
    try {
      this.start = await this.wait.run((signal) => call('open_move', this.target, signal))
      useGbFactor(this.start.factor)
      this.gb ||= this.start.suggested
      await this.check()
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }

  /** Checks what is typed; a good amount gets its offer. */
  async check(): Promise<void> {
    const asked = ++this.asked
    this.offer = null
    this.wrong = null
    this.anyway = false
    // It was asked of another amount.
    if (this.error?.code === 'still-watched') this.error = null
    if (!this.start || !this.gb.trim()) return
    const { direction, customerId, counterOf } = this.target
    try {
      const offer = await call('offer_move', { direction, customerId, counterOf, gb: this.gb })
      if (asked === this.asked) this.offer = offer
    } catch (thrown) {
      if (asked !== this.asked) return
      const error = asCommandError(thrown)
      if (error.code === 'invalid') this.wrong = error
      else this.error = error
    }
  }

  /** The same was refused before: the risk has to be accepted first. */
  get mustBeSure(): boolean {
    return this.error?.code === 'still-watched' && !this.anyway
  }

  /** Sends once. Returns the operation, or nothing when nothing was sent. */
  async confirm(): Promise<string | null> {
    const offer = this.offer
    if (!offer || this.sending) return null
    this.sending = true
    this.error = null
    // Spent by this press, whatever comes of it.
    this.offer = null
    try {
      const operation = await call('confirm_move', { token: offer.token, anyway: this.anyway })
      await app.readOperations()
      return operation.id
    } catch (thrown) {
      this.error = asCommandError(thrown)
      // Nothing was spent: the same press goes on once the risk is known.
      if (this.error.code === 'still-watched') this.offer = offer
      await app.readOperations()
      return null
    } finally {
      this.sending = false
    }
  }
}
