/** A complete basket and its price. */
import type { Price } from '../bindings/Price'
import type { Basket } from '../views/buy/basket.svelte'
import { part } from './program'

/** Fills a basket with IPs from anywhere. */
export function fill(basket: Basket, quantity = '3'): void {
  Object.assign(basket.typed, { lineType: 'basic', businessId: '1', connLimit: '100', days: '30' })
  basket.places.choice.kind = 'global_random'
  basket.form.quantity = quantity
  basket.add()
}

export function price(amount: string, of: Partial<Price> = {}): Price {
  return part<Price>({
    quoteId: 'q1',
    quoteVersion: 'v1',
    amount,
    currency: 'USD',
    expiresIn: 60_000,
    ...of,
  })
}
