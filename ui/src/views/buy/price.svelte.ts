/** The price of a basket, with its clock. Any change of the basket drops the price at once. */
import type { Price } from '../../bindings/Price'
import { difference, money } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'
import type { Basket } from './basket.svelte'

/** A price and its exact configuration. `ends`: when it expires (null: never); `whole`: its lifetime; both in ms. */
type Priced = { price: Price; basket: string; ends: number | null; whole: number }

/** Time before expiry, in ms, from which a price cannot be paid: a little longer than the program's own limit. */
const MARGIN = 6000

export class Pricing {
  /** Whether "Get price" was pressed, so that missing fields are named. */
  asked = $state(false)
  /** A stop keeps the previous price. */
  readonly answer = new Resource<Priced | null>(null)
  private last = $state.raw<{ basket: string; amount: string } | null>(null)
  /** The time on the page's clock, in ms. */
  now = $state(performance.now())

  constructor(
    private readonly call: Call,
    private readonly basket: Basket,
  ) {}

  private readonly priced = $derived(this.answer.value)
  readonly current = $derived.by(() =>
    !this.basket.open && this.priced?.basket === this.basket.key ? this.priced.price : null,
  )
  /** Time left, in ms; `null`: there is no price, or it does not expire. */
  readonly left = $derived(this.current && this.priced?.ends != null ? this.priced.ends - this.now : null)
  readonly part = $derived(
    this.left === null || !this.priced ? 1 : Math.max(0, this.left / this.priced.whole),
  )
  readonly expired = $derived(this.left !== null && this.left <= 0)
  /** Whether the price can be paid. One that is about to expire, or is being read again, is only shown. */
  readonly stands = $derived(
    this.current !== null && !this.answer.busy && (this.left === null || this.left > MARGIN),
  )
  /** The change since the last price of the same basket; null: there is none to compare with. */
  readonly change = $derived.by(() => {
    if (!this.current || !this.last || this.last.basket !== this.basket.key) return null
    return difference(this.current.amount, this.last.amount)
  })

  /** The change in words; empty: there is none to compare with. */
  readonly changeWords = $derived.by(() => {
    if (!this.current || this.change === null) return ''
    if (!/[1-9]/.test(this.change)) return t('price.same')
    const isLower = this.change.startsWith('-')
    const by = money(isLower ? this.change.slice(1) : this.change, this.current.currency)
    return t(isLower ? 'price.lower' : 'price.higher', { by })
  })

  /** Asks for the price of the current basket. */
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

  /** Marks the price as expired. It stays on screen, and the next one is compared with it. */
  expire(): void {
    if (this.priced) this.answer.value = { ...this.priced, ends: performance.now() }
    this.now = performance.now()
  }

  /** Removes the price. */
  forget(): void {
    this.answer.value = null
  }
}
