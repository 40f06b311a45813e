import { beforeEach, describe, expect, it } from 'vitest'
import type { CustomerRow } from '../../bindings/CustomerRow'
import type { CustomersState } from '../../bindings/CustomersState'
import type { Found } from '../../bindings/Found'
import { figures } from '../../lib/figures.svelte'
import { Program, part, settled } from '../../testing/program'
import { Customers } from './customers.svelte'

let program: Program
beforeEach(async () => {
  program = new Program()
  figures.forget()
  program.answer('operations_touched', { position: 5, rows: [], openBulks: [] })
  await figures.follow()
})

const row = (customerId: string) => part<CustomerRow>({ customerId })
const state = (of: Partial<CustomersState> = {}) =>
  part<CustomersState>({ readAt: Date.now(), seen: figures.position, count: 3, tags: [], ...of })
const found = (number: number, count = 3) => part<Found>({ number, count, outside: 0, rows: [] })
let customers: Customers
beforeEach(() => {
  customers = new Customers(program.call)
})
const read = async () => {
  program.answer('read_customers', state()).answer('find_customers', found(1))
  await customers.load()
}

describe('customers', () => {
  it('are read from the vendor again when what is kept is old', async () => {
    program.answer('read_customers', (again) => state({ readAt: again ? Date.now() : 0 }))
    program.answer('find_customers', found(1))
    await customers.load()
    await settled()
    expect(program.asked.filter((one) => one.name === 'read_customers').map((one) => one.request)).toEqual([
      false,
      true,
    ])
  })

  it('keep what is typed into a note until it is saved', () => {
    const anna = part<CustomerRow>({ customerId: '7', note: 'old', tags: [] })
    customers.noteOf(anna).text = 'typed'
    expect(customers.noteOf(anna).text).toBe('typed')
    const untouched = part<CustomerRow>({ customerId: '8', note: 'old', tags: [] })
    customers.noteOf(untouched)
    expect(customers.noteOf({ ...untouched, note: 'from elsewhere' }).text).toBe('from elsewhere')
  })

  it('open the dialog of a password or a status with what is known, unless the view was left meanwhile', async () => {
    const customer = row('7')
    const page = { row: customer, operations: [], createdHere: false, passwordSetHere: false }
    program.answer('read_customers', state()).answer('customer_page', page)
    await customers.openAccess('password', '7')
    expect([customers.dialog, program.last('read_customers')]).toEqual([
      { what: 'password', customer },
      false,
    ])
    await customers.openAccess('disable', '7')
    expect(customers.dialog).toEqual({ what: 'status', customer, active: false })
    customers.leave()
    program.hold('customer_page')
    const opening = customers.openAccess('enable', '7')
    await settled()
    customers.leave()
    await program.held('customer_page')[0]?.answer(page)
    await opening
    expect(customers.dialog).toBe(null)
  })

  it('are read once, if they are opened before it is known what happened since', async () => {
    figures.forget()
    program.answer('read_customers', state({ seen: 5 })).answer('find_customers', found(1))
    await customers.load()
    await settled()
    expect(program.asked.filter((one) => one.name === 'read_customers').length).toBe(1)
    figures.forget()
    program.answer('read_customers', state({ seen: 3 }))
    await customers.load()
    await settled()
    expect(program.asked.filter((one) => one.name === 'read_customers').length).toBe(3)
  })

  it('show what belongs to the last letter', async () => {
    await read()
    program.hold('find_customers')
    const first = customers.find()
    customers.search = 'an'
    const second = customers.find()
    const [early, late] = program.held('find_customers')
    await late?.answer(found(3))
    await early?.answer(found(2))
    await Promise.all([first, second])
    expect(customers.found?.number).toBe(3)
  })

  it('stay on screen when they cannot be read, and when the wait is stopped', async () => {
    await read()
    program.hold('read_customers')
    const again = customers.load(true)
    customers.list.stop()
    await again
    expect([customers.error, customers.read?.count]).toEqual([null, 3])
    program.refuse('read_customers', 'unreachable')
    await customers.load(true)
    expect([customers.error?.code, customers.found?.count]).toEqual(['unreachable', 3])
  })

  it('are left without what stands over them, and with what is searched for', async () => {
    await read()
    customers.search = 'anna'
    Object.assign(customers, { dialog: { what: 'create' }, begun: 'one' })
    customers.leave()
    expect([customers.dialog, customers.begun, customers.search]).toEqual([null, null, 'anna'])
  })

  it('are not read from here while they come from the vendor', async () => {
    await read()
    program.hold('read_customers')
    void customers.load(true)
    await customers.reload()
    expect(program.held('read_customers')).toHaveLength(1)
  })

  it('are listed by who runs out within some days, whatever was searched for', async () => {
    await read()
    Object.assign(customers, { search: 'anna', down: true })
    customers.filter.active = false
    customers.showWithin(60)
    await customers.find()
    expect(program.last('find_customers')).toEqual({
      search: '',
      order: 'days-left',
      down: false,
      filter: { active: null, tag: null, within: 60 },
    })
    expect([customers.narrowed, customers.filters.length]).toEqual([true, 1])
  })

  it('are selected by their ids, all that were found at once', async () => {
    await read()
    program.answer('found_customers', ({ first, count }) =>
      Array.from({ length: count }, (_, at) => row(`${first + at}`)),
    )
    await customers.selection.choose(row('0'), 0, true, false)
    await customers.selection.choose(row('2'), 2, true, true)
    expect([...customers.selection.keys]).toEqual(['0', '1', '2'])
    program.answer('found_ids', ['0', '1', '2', '3'])
    await customers.selection.chooseAll(customers.found?.number, true)
    expect([customers.selection.keys.size, customers.selection.isAll(customers.found?.number)]).toEqual([
      4,
      true,
    ])
    await customers.find()
    await customers.selection.choose(row('3'), 3, false, true)
    expect([...customers.selection.keys]).toEqual(['0', '1', '2'])
  })
})
