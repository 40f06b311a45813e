import { beforeEach, describe, expect, it } from 'vitest'
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import { kept } from '../../lib/kept.svelte'
import { route } from '../../lib/route.svelte'
import { Program, part } from '../../testing/program'
import { fill } from '../../testing/purchase'
import { Buy } from '../buy/buy.svelte'
import { Again } from './again.svelte'

let program: Program
beforeEach(() => {
  kept.forget()
  route.begin('orders')
  program = new Program()
})
const purchase = part<PurchaseConfig>({ quotaItems: [] })

describe('buying again', () => {
  it('goes to Buy at once when nothing is selected there', () => {
    const again = new Again(program.call)
    again.begin(purchase)
    expect([route.place, again.asked]).toEqual(['buy', null])
  })

  it('asks before it replaces what is selected', () => {
    const again = new Again(program.call)
    fill(kept.of(Buy, program.call).basket)
    again.begin(purchase)
    expect([route.place, again.asked]).toEqual(['orders', purchase])
    again.replace()
    expect([route.place, again.asked]).toEqual(['buy', null])
  })
})
