/** A move of traffic in its dialog: the figures, the amount, the offer, the confirmation. */
import type { Direction } from '../../bindings/Direction'
import type { MoveOffered } from '../../bindings/MoveOffered'
import type { MoveStart } from '../../bindings/MoveStart'
import { concernsRefused } from '../errors'
import { useGbFactor } from '../gbFactor.svelte'
import type { Call } from '../ipc'
import { operations } from '../operations.svelte'
import { Resource, Work } from '../resource.svelte'

/** Usual amounts, in GB. */
export const PRESETS = ['1', '5', '10']

export type MoveTarget = {
  direction: Direction
  customerId: string
  userName: string
  /** The id of the operation that is taken back; null: none. */
  counterOf: string | null
}

export class Move {
  /** The customer's current figures. A stop is shown with a way to continue. */
  readonly opening = new Resource<MoveStart | null>(null, { showsStop: true })
  readonly start = $derived(this.opening.value)
  gb = $state('')
  /** The last amounts that are no usual ones, GB, newest first. */
  readonly last = $derived((this.start?.last ?? []).filter((gb) => !PRESETS.includes(gb)))
  private readonly offering = new Resource<MoveOffered | null>(null)
  readonly offer = $derived(this.offering.value)
  private readonly work = new Work()
  readonly sending = $derived(this.work.busy)
  /** The error about the amount; null: none. */
  readonly wrong = $derived(this.offering.error?.code === 'invalid' ? this.offering.error : null)
  readonly error = $derived(
    this.work.error ?? this.opening.error ?? (this.wrong === null ? this.offering.error : null),
  )
  /** Whether the user accepts the risk that the vendor still carries out what it refused before. */
  anyway = $state(false)
  /** Whether Enter was pressed in the amount. */
  private isEntered = $state(false)
  /** Whether the next press of Enter may confirm: Enter was pressed in the amount, and there is an offer since. */
  readonly isReady = $derived(this.isEntered && this.offer !== null)

  constructor(
    private readonly call: Call,
    readonly target: MoveTarget,
    gb = '',
  ) {
    this.gb = gb
    // An amount that was given with the customer was ended by Enter too.
    this.isEntered = gb !== ''
  }

  /** Reads the customer's current figures. The typed amount stays. */
  async open(): Promise<void> {
    this.work.error = null
    this.withdraw()
    const start = await this.opening.ask((signal) => this.call('open_move', this.target, signal))
    if (!start) return
    useGbFactor(start.factor)
    this.gb ||= start.suggested
    await this.check()
  }

  /** Drops what is still read when the dialog closes: another connection may open before it arrives. */
  leave(): void {
    this.opening.drop()
    this.offering.drop()
  }

  /** Takes a typed amount. */
  async type(): Promise<void> {
    this.leaveAmount()
    await this.check()
  }

  /** Takes a usual amount, which needs no Enter. */
  async choose(gb: string): Promise<void> {
    this.gb = gb
    this.enter()
    await this.check()
  }

  /** Ends the amount. This confirms nothing. */
  enter(): void {
    this.isEntered = true
  }

  leaveAmount(): void {
    this.isEntered = false
  }

  /** Checks the amount once the figures are read. A valid one gets an offer. */
  private async check(): Promise<void> {
    this.withdraw()
    this.anyway = false
    // What was said was about another confirmation.
    if (concernsRefused(this.work.error)) this.work.error = null
    if (!this.start || !this.gb.trim()) return
    const { direction, customerId, counterOf } = this.target
    await this.offering.ask(() => this.call('offer_move', { direction, customerId, counterOf, gb: this.gb }))
  }

  /** Whether the same was refused before, so that the user has to accept the risk first. */
  get mustBeSure(): boolean {
    return this.error?.code === 'still-watched' && !this.anyway
  }

  /** Sends once. Returns the id of the operation; null: nothing was sent. */
  async confirm(): Promise<string | null> {
    const { offer } = this
    if (!offer || this.sending) return null
    let operation: string | null = null
    this.leaveAmount()
    // This press spends the offer, whatever the outcome.
    this.withdraw()
    await this.work.once(async () => {
      try {
        operation = (await this.call('confirm_move', { token: offer.token, anyway: this.anyway })).id
      } finally {
        await operations.read()
      }
    })
    // The offer was not spent: the user can press again after accepting the risk.
    if (this.work.error?.code === 'still-watched') this.offering.value = offer
    return operation
  }

  private withdraw(): void {
    this.offering.drop()
    this.offering.value = null
    this.offering.error = null
  }
}
