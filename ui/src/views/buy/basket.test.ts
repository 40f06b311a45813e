import { beforeEach, describe, expect, it } from 'vitest'
import type { PlaceHit } from '../../bindings/PlaceHit'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import { Program, part } from '../../testing/program'
import { fill } from '../../testing/purchase'
import { Basket } from './basket.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const none = { known: [], unread: [] }

describe('the basket', () => {
  it('holds what was added, and is open while more is chosen', () => {
    const basket = new Basket(program.call)
    fill(basket)
    expect([basket.total, basket.open, basket.form.quantity]).toEqual([3, false, '1'])
    basket.places.choice.countryCode = 'IT'
    expect(basket.open).toBe(true)
  })

  it('marks what a line lacks instead of adding it', () => {
    const basket = new Basket(program.call)
    expect([basket.add(), basket.form.tried, basket.lines.length]).toEqual([false, true, 0])
  })

  it('hides the lines of another strategy and loses none', () => {
    const basket = new Basket(program.call)
    fill(basket)
    basket.strategy = '3'
    expect([basket.lines.length, basket.elsewhere]).toEqual([0, 1])
    basket.strategy = '1'
    expect(basket.lines.length).toBe(1)
  })

  it('has no price while anything is chosen under another strategy, until that is left out', () => {
    const basket = new Basket(program.call)
    fill(basket)
    basket.strategy = '3'
    basket.form.ips = '192.0.2.7 192.0.2.8'
    basket.strategy = '2'
    basket.form.cidrs = '203.0.113.0/24'
    basket.add()
    expect([basket.others, basket.elsewhere, basket.open]).toEqual([['1', '3'], 3, true])
    basket.leaveOthers()
    expect([basket.elsewhere, basket.open, basket.total, basket.form.ips]).toEqual([0, false, 1, ''])
  })

  it('counts what is typed wrong under another strategy', () => {
    const basket = new Basket(program.call)
    basket.strategy = '3'
    basket.form.ips = 'nonsense'
    basket.strategy = '1'
    fill(basket)
    expect([basket.elsewhere, basket.open]).toEqual([1, true])
  })

  it('counts a half-chosen place, which is no region of given IPs', () => {
    program.answer('list_states', []).answer('list_cities', [])
    const basket = new Basket(program.call)
    basket.places.choice.kind = 'city'
    void basket.places.chooseCountry('JP')
    basket.strategy = '3'
    expect([basket.places.choice.countryCode, basket.elsewhere]).toEqual(['', 1])
    basket.places.choice.countryCode = 'PT'
    basket.strategy = '2'
    expect(basket.places.choice.countryCode).toBe('PT')
    basket.strategy = '1'
    expect(basket.places.choice).toMatchObject({ kind: 'city', countryCode: 'JP' })
    expect(basket.elsewhere).toBe(0)
  })

  it('takes a place and a number for the next line, and adds nothing', async () => {
    const germany = part<PlaceHit>({
      level: 'country',
      continentId: '3',
      countryCode: 'DE',
      stateId: '',
      cityId: '',
    })
    program.answer('list_states', []).answer('list_cities', [])
    const basket = new Basket(program.call)
    basket.strategy = '3'
    await basket.choose(germany, '5')
    expect([basket.strategy, basket.places.choice.countryCode, basket.form.quantity]).toEqual([
      '1',
      'DE',
      '5',
    ])
    await basket.choose(null, '')
    expect([basket.places.choice.countryCode, basket.form.quantity, basket.lines]).toEqual(['DE', '5', []])
  })

  it('loses the line that is removed and no other', () => {
    const basket = new Basket(program.call)
    fill(basket, '1')
    fill(basket, '2')
    basket.removeLine(basket.lines[0]?.key ?? -1)
    expect(basket.total).toBe(2)
  })

  it('begins with a month and the first of each list', () => {
    const basket = new Basket(program.call)
    const choices = (...values: string[]) => ({
      known: values.map((value) => ({ value, nameEn: value, nameZh: value, children: [] })),
      unread: [],
    })
    basket.preset(
      part<PurchaseOptions>({
        exclusivity: choices('2'),
        quality: none,
        bandwidth: none,
        connLimit: choices('5'),
        duration: choices('7', '30'),
      }),
    )
    expect(basket.typed).toMatchObject({ sellMode: '2', lineType: 'basic', connLimit: '5', days: '30' })
  })
})
