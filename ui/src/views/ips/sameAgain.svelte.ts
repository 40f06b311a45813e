/** Buying what selected IPs came with again, where the vendor does not renew. */

import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { notices } from '../../lib/notices.svelte'
import { Work } from '../../lib/resource.svelte'
import { Again } from '../orders/again.svelte'

/** The order of an IP, by its name: `order host port`. */
export function orderOf(key: string): string {
  return key.split(' ').slice(0, -2).join(' ')
}

export class SameAgain {
  private readonly again: Again
  readonly looking = new Work()

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

  /** Goes to Buy with what the order of these IPs bought. */
  async begin(keys: string[]): Promise<void> {
    await this.looking.once(async () => {
      const orders = await this.call('list_orders', null)
      const found = orders.find(({ orderNo }) => keys.length > 0 && orderNo === orderOf(keys[0] ?? ''))
      if (found?.purchase) this.again.begin(found.purchase)
      else notices.notify(t('order.again-unknown'))
    })
  }

  replace(): void {
    this.again.replace()
  }

  cancel(): void {
    this.again.asked = null
  }
}
