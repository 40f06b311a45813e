import { beforeEach, describe, expect, it } from 'vitest'
import type { BuyerView } from '../../bindings/BuyerView'
import { People } from '../../lib/goods/people.svelte'
import { kept } from '../../lib/kept.svelte'
import { Program, part } from '../../testing/program'
import { Buyers, buyersColumns } from './buyers.svelte'

let buyers: Buyers
const buyer = (name: string, ips: number, of: Partial<BuyerView> = {}) =>
  part<BuyerView>({ name, ips, soon: 0, unsent: 0, contact: '', note: '', deleted: false, ...of })
const names = () => buyers.found.map(({ name }) => name)
beforeEach(async () => {
  const program = new Program()
    .answer('list_buyers', [
      buyer('Cleo', 2, { contact: 'WeChat', note: 'pays late' }),
      buyer('ali', 10, { deleted: true }),
      buyer('Bob', 9),
    ])
    .answer('list_customers', [])
  kept.forget()
  buyers = kept.of(Buyers, program.call)
  await kept.of(People, program.call).load()
})

describe('the list of buyers', () => {
  it('is sorted by name, or by a column that is pressed: numbers begin with the highest', () => {
    expect(names()).toEqual(['ali', 'Bob', 'Cleo'])
    buyers.sortBy('ips')
    expect(names()).toEqual(['ali', 'Bob', 'Cleo'])
    buyers.sortBy('ips')
    expect(names()).toEqual(['Cleo', 'Bob', 'ali'])
    buyers.sortBy('contact')
    expect(names().at(-1)).toBe('Cleo')
  })

  it('finds a buyer by name, contact or note, in any spelling', () => {
    for (const text of ['CLEO', ' wechat', 'pays']) {
      buyers.search = text
      expect(names()).toEqual(['Cleo'])
    }
    buyers.search = 'nobody'
    expect(names()).toEqual([])
  })

  it('gives a file the same rows in the same order', () => {
    buyers.sortBy('name')
    const { columns, rows } = buyers.sheet(buyersColumns())
    expect(rows.map(([name, , , ips]) => [name, ips])).toEqual([
      ['Cleo', '2'],
      ['Bob', '9'],
      [expect.stringContaining('ali'), '10'],
    ])
    expect(rows.every((row) => row.length === columns.length)).toBe(true)
    const some = buyers.sheet(buyersColumns().filter(({ id }) => id !== 'contact' && id !== 'soon'))
    expect([some.columns.length, some.rows[0]]).toEqual([
      4,
      ['Cleo', expect.any(String), '2', expect.any(String)],
    ])
  })
})
