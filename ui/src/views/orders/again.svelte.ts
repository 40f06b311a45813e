/** Buying again what an order bought: it is put into Buy, where it gets a price. */
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import type { Call } from '../../lib/ipc'
import { kept } from '../../lib/kept.svelte'
import { Names } from '../../lib/names.svelte'
import { route } from '../../lib/route.svelte'
import { Buy } from '../buy/buy.svelte'

export class Again {
  /** The purchase that would replace what is selected in Buy, while that is asked; null: nothing is asked. */
  asked = $state.raw<PurchaseConfig | null>(null)

  constructor(private readonly call: Call) {}

  /** Goes to Buy with a purchase. What is selected there is replaced only if the user agrees. */
  begin(purchase: PurchaseConfig): void {
    if (this.buy.basket.begun) this.asked = purchase
    else this.fill(purchase)
  }

  replace(): void {
    if (this.asked) this.fill(this.asked)
  }

  private get buy(): Buy {
    return kept.of(Buy, this.call)
  }

  private fill(purchase: PurchaseConfig): void {
    this.asked = null
    void this.buy.again(purchase, kept.of(Names, this.call))
    route.go({ place: 'buy' })
  }
}
