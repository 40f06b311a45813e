/** The price of a basket, with its clock. Any change of the basket drops it at once. */
import type { Price } from '../../bindings/Price'
import { difference } from '../../lib/format'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import type { Basket } from './basket.svelte'

/** A price and the very configuration it belongs to; `ends` and `whole` in ms of the page's clock. */
type Priced = { price: Price; basket: string; ends: number | null; whole: number }

/** The program refuses to send in the last seconds of a price; the page says so a little earlier, in ms. */
const MARGIN = 6000

export class Pricing {
  /** "Get price" was pressed: missing fields are named from then on. */
  asked = $state(false)
  /** Who stops waiting keeps what was there. */
  readonly answer = new Resource<Priced | null>(null)
  private last = $state.raw<{ basket: string; amount: string } | null>(null)
  /** The page's clock, in ms. */
  now = $state(performance.now())

  constructor(
    private readonly call: Call,
    private readonly basket: Basket,
  ) {}

  private readonly priced = $derived(this.answer.value)
  readonly current = $derived.by(() =>
    !this.basket.open && this.priced?.basket === this.basket.key ? this.priced.price : null,
  )
  /** Time left, in ms; `null`: the price does not end. */
  readonly left = $derived(this.current && this.priced?.ends != null ? this.priced.ends - this.now : null)
  readonly part = $derived(
    this.left === null || !this.priced ? 1 : Math.max(0, this.left / this.priced.whole),
  )
  readonly expired = $derived(this.left !== null && this.left <= 0)
  /** It stands still: a price that is about to end, or asked for again, is shown and cannot be bought. */
  readonly stands = $derived(
    this.current !== null && !this.answer.busy && (this.left === null || this.left > MARGIN),
  )
  /** What the price changed by, for the same basket. */
  readonly change = $derived.by(() => {
    if (!this.current || !this.last || this.last.basket !== this.basket.key) return null
    return difference(this.current.amount, this.last.amount)
  })

  /** Asks for the price of the basket as it is. */
  async ask(): Promise<void> {
    const { config, key } = this.basket
    if (!config || this.answer.busy) return
    const same = this.priced?.basket === key ? this.priced.price : null
    const asked = { config, lastVersion: same?.quoteVersion ?? null }
    await this.answer.ask(
      async (signal) => {
        const price = await this.call('purchase_price', asked, signal)
        const [now, whole] = [performance.now(), price.expiresIn ?? 0]
        return {
          price,
          basket: key,
          ends: price.expiresIn === null ? null : now + whole,
          whole: whole || 1,
        }
      },
      () => {
        this.last = same ? { basket: key, amount: same.amount } : null
        this.now = performance.now()
      },
    )
    if (this.answer.error) this.forget()
  }

  /** It can no longer be bought; it stays on screen, and the next one is compared with it. */
  expire(): void {
    if (this.priced) this.answer.value = { ...this.priced, ends: performance.now() }
    this.now = performance.now()
  }

  /** There is none any more. */
  forget(): void {
    this.answer.value = null
  }
}
