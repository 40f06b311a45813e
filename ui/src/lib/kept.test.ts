import { expect, it } from 'vitest'
import { Program } from '../testing/program'
import { Orders } from '../views/orders/orders.svelte'
import { Kept } from './kept.svelte'

it('keeps one state of a class until another connection opens', () => {
  const [kept, { call }] = [new Kept(), new Program()]
  const orders = kept.of(Orders, call)
  orders.number = '17'
  expect(kept.of(Orders, call)).toBe(orders)
  kept.forget()
  expect(kept.of(Orders, call).number).toBe('')
})
