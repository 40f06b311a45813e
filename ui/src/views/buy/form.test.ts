import { describe, expect, it } from 'vitest'
import { Program } from '../../testing/program'
import { Form } from './form.svelte'
import type { Line, Strategy } from './lines'
import { Places } from './places.svelte'

const form = (strategy: Strategy, lines: Line[] = []) => {
  const places = new Places(new Program().call)
  return new Form(
    places,
    () => strategy,
    () => lines,
  )
}

describe('the open form', () => {
  it('names the field that lacks something', () => {
    const open = form('1')
    expect([open.lacks, open.addable, open.begun]).toEqual(['buy-country', false, false])
    open.quantity = 'many'
    expect([open.begun, open.quantityError]).toEqual([true, expect.stringContaining('500')])
  })

  it('takes networks as they are pasted, and none twice', () => {
    const line = { strategy: '2', item: { cidr: '203.0.113.0/24', purchaseIpCount: 1 }, key: 1 } as const
    const open = form('2', [{ ...line, nameEn: '', nameZh: '' }])
    open.cidrs = '198.51.100.0/24 2'
    expect([open.items.length, open.addable]).toEqual([1, true])
    open.cidrs = '203.0.113.0/24 2'
    expect([open.addable, open.lacks]).toEqual([false, 'buy-cidr'])
  })

  it('empties what was added, and keeps what is typed elsewhere', () => {
    const open = form('3')
    open.ips = '192.0.2.7'
    open.cidrs = '198.51.100.0/24'
    open.tried = true
    open.clear()
    expect([open.ips, open.cidrs, open.tried]).toEqual(['', '198.51.100.0/24', false])
  })
})
