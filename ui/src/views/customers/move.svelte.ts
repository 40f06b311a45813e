/** One move of traffic in its dialog: figures read, amount typed, offer, confirmation. */
import type { Direction } from '../../bindings/Direction'
import type { MoveOffered } from '../../bindings/MoveOffered'
import type { MoveStart } from '../../bindings/MoveStart'
import { useGbFactor } from '../../lib/gbFactor.svelte'
import type { Call } from '../../lib/ipc'
import { operations } from '../../lib/operations.svelte'
import { Resource, Work } from '../../lib/resource.svelte'

export type MoveTarget = {
  direction: Direction
  customerId: string
  userName: string
  /** The operation that is taken back. */
  counterOf: string | null
}

export class Move {
  /** The customer's figures, read now. Who stops waiting is offered to go on. */
  readonly opening = new Resource<MoveStart | null>(null, { showsStop: true })
  readonly start = $derived(this.opening.value)
  gb = $state('')
  private readonly offering = new Resource<MoveOffered | null>(null)
  readonly offer = $derived(this.offering.value)
  private readonly work = new Work()
  readonly sending = $derived(this.work.busy)
  /** About the amount. */
  readonly wrong = $derived(this.offering.error?.code === 'invalid' ? this.offering.error : null)
  readonly error = $derived(
    this.work.error ?? this.opening.error ?? (this.wrong === null ? this.offering.error : null),
  )
  /** The person knows that the vendor may still carry out what it refused before. */
  anyway = $state(false)

  constructor(
    private readonly call: Call,
    readonly target: MoveTarget,
  ) {}

  /** Reads the customer's figures now. What is typed stays. */
  async open(): Promise<void> {
    this.work.error = null
    this.withdraw()
    const start = await this.opening.ask((signal) => this.call('open_move', this.target, signal))
    if (!start) return
    useGbFactor(start.factor)
    this.gb ||= start.suggested
    await this.check()
  }

  /** Checks what is typed; a good amount gets its offer. */
  async check(): Promise<void> {
    this.withdraw()
    this.anyway = false
    // It was asked of another amount.
    if (this.work.error?.code === 'still-watched') this.work.error = null
    if (!this.start || !this.gb.trim()) return
    const { direction, customerId, counterOf } = this.target
    await this.offering.ask(() => this.call('offer_move', { direction, customerId, counterOf, gb: this.gb }))
  }

  /** The same was refused before: the risk has to be accepted first. */
  get mustBeSure(): boolean {
    return this.error?.code === 'still-watched' && !this.anyway
  }

  /** Sends once. Returns the operation, or nothing when nothing was sent. */
  async confirm(): Promise<string | null> {
    const { offer } = this
    if (!offer || this.sending) return null
    let operation: string | null = null
    // Spent by this press, whatever comes of it.
    this.withdraw()
    await this.work.once(async () => {
      try {
        operation = (await this.call('confirm_move', { token: offer.token, anyway: this.anyway })).id
      } finally {
        await operations.read()
      }
    })
    // Nothing was spent: the same press goes on once the risk is known.
    if (this.work.error?.code === 'still-watched') this.offering.value = offer
    return operation
  }

  private withdraw(): void {
    this.offering.drop()
    this.offering.value = null
    this.offering.error = null
  }
}
