import { beforeEach, describe, expect, it } from 'vitest'
import type { BookedOrder } from '../../bindings/BookedOrder'
import type { Boot } from '../../bindings/Boot'
import type { Customer } from '../../bindings/Customer'
import { route } from '../../lib/route.svelte'
import { session } from '../../lib/session.svelte'
import { Program, part } from '../../testing/program'
import { Palette } from './palette.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const boot = (active: string | null) =>
  part<Boot>({
    active,
    connections: [],
    practice: false,
    settings: part<Boot['settings']>({ theme: 'system' }),
  })

describe('the palette', () => {
  it('leads to orders and customers by name', async () => {
    session.boot = boot('a')
    program.answer('list_orders', [part<BookedOrder>({ orderNo: 'A1', since: 0 })])
    program.answer('list_customers', [part<Customer>({ customerId: '7', userName: 'Anna' })])
    const palette = new Palette(program.call)
    await palette.load()
    palette.entries.find((entry) => entry.id === 'order-A1')?.run()
    expect([route.place, route.order]).toEqual(['orders', 'A1'])
    palette.entries.find((entry) => entry.label === 'Anna')?.run()
    expect(route.customers).toEqual({ what: 'page', customer: '7' })
  })

  it('has its pages and actions where nothing can be read', async () => {
    session.boot = boot('a')
    program.refuse('list_orders', 'journal').refuse('list_customers', 'journal')
    const palette = new Palette(program.call)
    await palette.load()
    expect(palette.entries.filter((entry) => entry.group === 'pages')).toHaveLength(8)
  })

  it('offers settings alone while nothing is open', async () => {
    session.boot = boot(null)
    const palette = new Palette(program.call)
    await palette.load()
    expect([palette.entries.filter((one) => one.group === 'pages').length, program.asked]).toEqual([1, []])
  })
})
