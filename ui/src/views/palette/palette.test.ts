import { beforeEach, describe, expect, it } from 'vitest'
import type { Boot } from '../../bindings/Boot'
import type { OperationView } from '../../bindings/OperationView'
import type { PaletteFound } from '../../bindings/PaletteFound'
import type { PlaceHit } from '../../bindings/PlaceHit'
import type { SavedPurchase } from '../../bindings/SavedPurchase'
import { kept } from '../../lib/kept.svelte'
import { operations } from '../../lib/operations.svelte'
import { route } from '../../lib/route.svelte'
import { session } from '../../lib/session.svelte'
import { Program, part, settled } from '../../testing/program'
import { Buyers } from '../ips/buyers.svelte'
import { Palette } from './palette.svelte'

let program: Program
let palette: Palette
const anna = { customerId: '7', userName: 'Anna' }
const nothing: PaletteFound = {
  customers: [],
  allCustomers: 0,
  orders: [],
  allOrders: 0,
  buyers: [],
  allBuyers: 0,
}
const germany = part<PlaceHit>({
  level: 'country',
  countryCode: 'DE',
  nameEn: 'Germany',
  nameZh: '德国',
  withinEn: 'Europe',
  withinZh: '欧洲',
})
const boot = (active: string | null) =>
  part<Boot>({
    active,
    connections: [],
    practice: false,
    settings: part<Boot['settings']>({ theme: 'system' }),
  })
beforeEach(() => {
  program = new Program()
  session.boot = boot('a')
  operations.forget()
  route.begin('overview')
  program.answer('find_anything', nothing).answer('search_places', []).answer('saved_purchases', [])
  palette = new Palette(program.call)
})

async function type(text: string): Promise<string[]> {
  palette.text = text
  await palette.find()
  return palette.entries.map((entry) => entry.id)
}
const run = (id: string) => palette.entries.find((entry) => entry.id === id)?.run()

describe('the palette', () => {
  it('leads to any buyer that the program finds, and to the list when there are more', async () => {
    const buyers = [{ id: 3, name: 'Ali', contact: '@ali' }]
    program.answer('find_anything', { ...nothing, buyers, allBuyers: 9 })
    expect(await type('al')).toEqual(expect.arrayContaining(['buyer-3', 'buyers-all']))
    run('buyer-3')
    expect([route.place, route.ips]).toEqual(['ips', { what: 'buyer', id: 3 }])
    run('buyers-all')
    expect([route.ips, kept.of(Buyers, program.call).search]).toEqual([{ what: 'buyers' }, 'al'])
    await type('')
    expect(palette.entries.find(({ id }) => id === 'buyer-3')?.group).toBe('recent')
  })

  it('begins what is done with IPs and buyers', async () => {
    for (const [text, id, view, task] of [
      ['add buyer', 'action-new-buyer', 'buyers', 'create-buyer'],
      ['from a list', 'action-paste-ips', 'list', 'paste-ips'],
    ] as const) {
      expect(await type(text)).toContain(id)
      run(id)
      expect([route.place, route.ips.what, route.task?.what]).toEqual(['ips', view, task])
    }
    for (const [text, dialog] of [
      ['health', 'health'],
      ['saved files', 'files'],
    ] as const) {
      expect(await type(text)).toContain(`action-${dialog}`)
      run(`action-${dialog}`)
      expect(route.dialog).toBe(dialog)
    }
  })

  it('puts a saved configuration into Buy', async () => {
    session.boot = { ...boot('a'), practice: true }
    const saved = ['Japan, 30 days', 'Lisbon'].map((name, id) => part<SavedPurchase>({ id, name }))
    program.answer('saved_purchases', saved)
    expect(await type('japan')).toEqual(['saved-0'])
    run('saved-0')
    expect([route.place, route.task]).toEqual(['buy', { what: 'buy-saved', saved: saved[0] }])
    // Enter opens the customer of that name.
    program.answer('find_anything', { ...nothing, customers: [anna], allCustomers: 1 })
    expect(await type('lisbon')).toEqual(['customer-7', 'saved-1'])
    expect(program.asked.filter(({ name }) => name === 'saved_purchases')).toHaveLength(1)
    program.refuse('saved_purchases', 'journal')
    palette = new Palette(program.call)
    expect(await type('lisbo')).toEqual(['customer-7'])
  })

  it('hands over the IPs of an order that is found, or of the newest', async () => {
    const orders = [{ orderNo: 'A1', since: 0, purchase: null, ip: '203.0.113.7' }]
    program.answer('find_anything', { ...nothing, orders, allOrders: 1 })
    expect(await type('hand over 203.0.113.7')).toContain('said-hand-over-A1')
    run('said-hand-over-A1')
    expect([route.order, route.task]).toEqual(['A1', { what: 'hand-over', order: 'A1' }])
    const newest = ['B2', 'B1'].map((orderNo) =>
      part<OperationView>({ id: orderNo, order: part<OperationView['order'] & object>({ orderNo }) }),
    )
    program.withoutOperations().answer('list_operations', newest)
    await operations.read()
    expect((await type('hand over')).slice(0, 2)).toEqual(['said-hand-over-B2', 'said-hand-over-B1'])
  })

  it('leads to any order and customer that the program finds, and offers them again when it is empty', async () => {
    program.answer('find_anything', {
      ...nothing,
      customers: [anna],
      allCustomers: 214,
      orders: [{ orderNo: 'A1', since: 0, purchase: null, ip: '203.0.113.7' }],
      allOrders: 1,
    })
    expect(await type('7')).toEqual(['customer-7', 'customers-all', 'order-A1'])
    expect(program.last('find_anything')).toEqual({ text: '7', most: 8 })
    run('order-A1')
    expect([route.place, route.order]).toEqual(['orders', 'A1'])
    run('customer-7')
    expect(route.customers).toEqual({ what: 'page', customer: '7' })
    run('customers-all')
    expect([route.customers.what, route.task]).toEqual(['list', { what: 'search-customers', search: '7' }])
    expect((await type('')).slice(0, 2)).toEqual(['customer-7', 'order-A1'])
    expect(palette.entries[0]?.group).toBe('recent')
  })

  it('leads to all orders that it finds, of which it names the newest', async () => {
    const all = ['12', '11', '10', '9', '8', '7', '6', '5', '4', '3']
    program.answer('find_anything', ({ most }) => ({
      ...nothing,
      orders: all.slice(0, most).map((orderNo) => ({ orderNo, since: 0, purchase: null, ip: null })),
      allOrders: all.length,
    }))
    expect((await type('lisbon')).slice(7)).toEqual(['order-5', 'orders-all'])
    run('orders-all')
    await settled()
    const task = { what: 'search-orders', search: 'lisbon', orders: all }
    expect([route.place, route.order, route.task]).toEqual(['orders', null, task])
    // They are looked for there if they cannot be named.
    program.refuse('find_anything', 'journal')
    run('orders-all')
    await settled()
    expect(route.task).toEqual({ ...task, orders: [] })
  })

  it('opens the dialog of a phrase filled, for each customer that may be meant, and sends nothing', async () => {
    program.answer('find_anything', ({ text }) =>
      text === 'bob2'
        ? { ...nothing, customers: [{ customerId: '2', userName: 'bob2@x.com' }, anna], allCustomers: 2 }
        : nothing,
    )
    expect(await type('add 5 to bob2')).toEqual(['said-recharge-2', 'said-recharge-7'])
    run('said-recharge-2')
    expect([route.place, route.customers]).toEqual(['customers', { what: 'page', customer: '2' }])
    expect(route.task).toEqual({
      what: 'move',
      direction: 'recharge',
      customerId: '2',
      userName: 'bob2@x.com',
      gb: '5',
    })
    await type('给 bob2 充 5')
    expect(palette.entries[0]?.id).toBe('said-recharge-2')
    await type('deduct 2g from bob2')
    run('said-deduction-7')
    expect(route.task).toMatchObject({ direction: 'deduction', customerId: '7', gb: '2g' })
    const asked = program.asked.map((one) => one.name)
    expect(asked.filter((name) => !['find_anything', 'search_places'].includes(name))).toEqual([])
  })

  it('opens the dialog of a password or a status for the customer of a phrase, and sends nothing', async () => {
    program.answer('find_anything', ({ text }) =>
      text === 'anna' ? { ...nothing, customers: [anna], allCustomers: 1 } : nothing,
    )
    for (const [text, change] of [
      ['reset password of anna', 'password'],
      ['停用 anna', 'disable'],
      ['enable anna', 'enable'],
    ] as const) {
      expect(await type(text)).toEqual([`said-${change}-7`])
      run(`said-${change}-7`)
      expect([route.customers, route.task]).toEqual([
        { what: 'page', customer: '7' },
        { what: 'access', change, customerId: '7' },
      ])
    }
    const asked = program.asked.map((one) => one.name)
    expect(asked.filter((name) => !['find_anything', 'search_places'].includes(name))).toEqual([])
  })

  it('opens Buy at a place that a phrase or a text names', async () => {
    program.answer('search_places', [germany])
    await type('buy 5 germany')
    expect(program.last('search_places')).toBe('germany')
    palette.entries[0]?.run()
    expect([route.place, route.task]).toEqual(['buy', { what: 'buy-at', hit: germany, quantity: '5' }])
    await type('germany')
    expect(palette.entries.at(-1)?.group).toBe('places')
    await type('buy 5')
    palette.entries[0]?.run()
    expect(route.task).toEqual({ what: 'buy-at', hit: null, quantity: '5' })
  })

  it('finds languages, appearances and sections of settings by their words', async () => {
    for (const [text, id] of [
      ['chinese', 'action-language'],
      ['中文', 'action-language'],
      ['dark', 'action-theme-dark'],
      ['深色', 'action-theme-dark'],
      ['limits', 'action-settings-limits'],
    ])
      expect([text, (await type(text ?? ''))[0]]).toEqual([text, id])
    run('action-settings-limits')
    expect([route.place, route.task]).toEqual(['settings', { what: 'settings-section', section: 'limits' }])
  })

  it('shows nothing that was found for another text', async () => {
    program.answer('find_anything', { ...nothing, customers: [anna], allCustomers: 1 })
    expect(await type('anna')).toEqual(['customer-7'])
    palette.text = 'bob'
    expect(palette.entries).toEqual([])
  })

  it('has its pages and actions where nothing can be read', async () => {
    program.refuse('find_anything', 'journal')
    expect(await type('ord')).toEqual(['page-orders', 'action-add-order'])
    await type('')
    expect(palette.entries.filter((entry) => entry.group === 'pages')).toHaveLength(8)
  })

  it('offers settings alone while nothing is open', async () => {
    session.boot = boot(null)
    await type('o')
    expect([palette.entries.filter((one) => one.group === 'pages').length, program.asked]).toEqual([0, []])
    await type('')
    expect(palette.entries.filter((one) => one.group === 'pages')).toHaveLength(1)
  })
})
