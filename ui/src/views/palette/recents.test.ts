import { expect, it } from 'vitest'
import type { OperationView } from '../../bindings/OperationView'
import { part } from '../../testing/program'
import { type Recent, Recents } from './recents.svelte'

const customer = (id: string): Recent => ({ what: 'customer', id, name: `n${id}` })
const moved = (id: string) => part<OperationView>({ customerId: id, userName: `n${id}` })
const bought = (orderNo: string) =>
  part<OperationView>({ order: part<OperationView['order'] & object>({ orderNo }) })

it('what was opened last comes first and once, then what was worked on', () => {
  const recents = new Recents()
  expect(recents.with([])).toEqual([])
  for (const id of ['1', '2', '1']) recents.add(customer(id))
  const all = recents.with([moved('2'), bought('A1'), moved('3'), moved('3')])
  expect(all.map((one) => `${one.what} ${one.id}`)).toEqual([
    'customer 1',
    'customer 2',
    'order A1',
    'customer 3',
  ])
})

it('no more than six are shown', () => {
  const recents = new Recents()
  for (const id of ['1', '2', '3', '4', '5', '6', '7']) recents.add(customer(id))
  expect(recents.with([moved('8')]).map((one) => one.id)).toEqual(['7', '6', '5', '4', '3', '2'])
})
