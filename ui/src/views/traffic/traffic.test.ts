import { expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { Traffic } from './traffic.svelte'

it('begins with usage, and asks nothing before a part is shown', () => {
  const program = new Program()
  const traffic = new Traffic(program.call)
  expect([traffic.part, program.asked]).toEqual(['usage', []])
})

it('shows who used the traffic of one day, however usage was shown before', () => {
  const traffic = new Traffic(new Program().call)
  traffic.part = 'consumption'
  traffic.usage.by = 'month'
  traffic.usage.customer = '7'
  traffic.showCustomersOf('2026-03-09')
  const { by, customer, span } = traffic.usage
  expect([traffic.part, by, customer, span.from, span.to]).toEqual([
    'usage',
    'customer',
    '',
    '2026-03-09',
    '2026-03-09',
  ])
})

it('shows all traffic that was given to an account, however records were shown before', () => {
  const traffic = new Traffic(new Program().call)
  const { records } = traffic
  records.consumed = records.received = true
  records.span.from = '2026-03-01'
  traffic.showRecordsOf('anna')
  expect([traffic.part, records.list, records.account, records.span.from]).toEqual([
    'records',
    'recharged',
    'anna',
    '',
  ])
})
