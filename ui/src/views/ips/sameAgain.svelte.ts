/** Buying what selected IPs came with again, where the vendor does not renew. */

import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { notices } from '../../lib/notices.svelte'
import { Work } from '../../lib/resource.svelte'
import { Again } from '../orders/again.svelte'

/** The order of an IP, by its name: `order host port`. */
export function orderOf(key: string): string {
  return key.split(' ').slice(0, -2).join(' ')
}

/**
 * What to buy for as many IPs: the order's only line with that number, at most what was ordered. Of several lines nobody
 * knows which one an IP came from, and IPs that were chosen one by one are bought by their addresses: then it is the
 * whole order.
 */
export function forAsMany(of: PurchaseConfig, selected: number): PurchaseConfig {
  const { quotaItems = [], segmentItems = [] } = of
  if (quotaItems.length + segmentItems.length !== 1) return of
  // An order may also hold IPs that the vendor replaced.
  const count = Math.min(selected, of.purchaseIpCount)
  return {
    ...of,
    purchaseIpCount: count,
    ...(quotaItems.length > 0
      ? { quotaItems: quotaItems.map((item) => ({ ...item, quantity: count })) }
      : { segmentItems: segmentItems.map((item) => ({ ...item, purchaseIpCount: count })) }),
  }
}

export class SameAgain {
  private readonly again: Again
  readonly looking = new Work()
  /** What to say once the order is in Buy; empty: nothing. */
  private whole = ''

  constructor(private readonly call: Call) {
    this.again = new Again(call)
  }

  /** What would replace the selection in Buy, while that is asked; null: nothing is asked. */
  get asked() {
    return this.again.asked
  }

  /** Why these cannot be bought again; empty: they can, if their order was placed here. */
  whyNot(keys: string[]): string {
    const [order, ...others] = new Set(keys.map(orderOf))
    return order && others.length === 0 ? '' : t('why.one-order')
  }

  /** Goes to Buy with what the order of these IPs bought, for as many as these where that is one line. */
  async begin(keys: string[]): Promise<void> {
    await this.looking.once(async () => {
      const orders = await this.call('list_orders', null)
      const found = orders.find(({ orderNo }) => keys.length > 0 && orderNo === orderOf(keys[0] ?? ''))
      if (!found?.purchase) {
        notices.notify(t('order.again-unknown'))
        return
      }
      const purchase = forAsMany(found.purchase, keys.length)
      const count = purchase.purchaseIpCount
      this.whole = count > keys.length ? t('order.again-whole', { count }) : ''
      this.again.begin(purchase)
      if (!this.asked) this.sayWhole()
    })
  }

  replace(): void {
    this.again.replace()
    this.sayWhole()
  }

  cancel(): void {
    this.again.asked = null
  }

  private sayWhole(): void {
    if (this.whole) notices.notify(this.whole)
  }
}
