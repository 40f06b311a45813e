import { beforeEach, describe, expect, it } from 'vitest'
import { Navigation } from './route.svelte'

let route: Navigation
beforeEach(() => {
  route = new Navigation()
  route.begin('overview')
})

describe('the route', () => {
  it('goes back and forward, place by place', () => {
    route.go({ place: 'buy' })
    route.go({ place: 'orders' })
    route.back()
    expect(route.place).toBe('buy')
    route.back()
    expect(route.place).toBe('overview')
    route.back()
    expect(route.place).toBe('overview')
    route.forward()
    route.forward()
    route.forward()
    expect(route.place).toBe('orders')
  })

  it('shows something else instead, without a step: Back and Forward return to that', () => {
    route.go({ place: 'customers', view: { what: 'bulk', ids: ['1', '2'], bulk: null } })
    route.instead({ what: 'bulk', ids: [], bulk: 'b' })
    route.go({ place: 'activity' })
    route.back()
    expect(route.customers).toEqual({ what: 'bulk', ids: [], bulk: 'b' })
    route.back()
    expect(route.place).toBe('overview')
  })

  it('keeps the view of My IPs, and begins with its list', () => {
    route.go({ place: 'ips', view: { what: 'buyer', id: 7 } })
    route.go({ place: 'ips', only: { ends: 'expired' } })
    expect([route.ips, route.ipsOnly]).toEqual([{ what: 'list' }, { ends: 'expired' }])
    route.back()
    expect([route.ips, route.ipsOnly]).toEqual([{ what: 'buyer', id: 7 }, null])
    route.begin('overview')
    expect(route.ips).toEqual({ what: 'list' })
  })

  it('closes an IP where its list is left, and opens it again on the way back', () => {
    route.go({ place: 'ips', ip: 'A' })
    route.go({ place: 'orders', order: '7' })
    route.go({ place: 'ips' })
    expect(route.ip).toBe('A')
    route.go({ place: 'ips', only: { order: '7' }, ip: 'B' })
    route.go({ place: 'ips', view: { what: 'buyer', id: 7 } })
    expect(route.ip).toBeNull()
    route.back()
    expect(route.ip).toBe('B')
    route.back()
    expect(route.ip).toBe('A')
    route.begin('ips')
    expect(route.ip).toBeNull()
  })

  it('says whether a way leads back or forward', () => {
    const ways = () => [route.canBack, route.canForward]
    expect(ways()).toEqual([false, false])
    route.go({ place: 'buy' })
    expect(ways()).toEqual([true, false])
    route.back()
    expect(ways()).toEqual([false, true])
    route.forward()
    expect(ways()).toEqual([true, false])
    route.begin('orders')
    expect(ways()).toEqual([false, false])
  })

  it('forgets what lay ahead once another way is taken', () => {
    route.go({ place: 'buy' })
    route.back()
    route.go({ place: 'traffic' })
    route.forward()
    expect(route.place).toBe('traffic')
    route.back()
    expect(route.place).toBe('overview')
  })

  it('brings a place back as it was: its order, its operation, its customer', () => {
    route.go({ place: 'customers', view: { what: 'page', customer: '7' } })
    route.go({ place: 'activity', operation: 'one' })
    route.operation = 'another'
    route.go({ place: 'orders', order: 'A1' })
    route.order = null
    route.go({ place: 'buy' })
    route.back()
    expect([route.place, route.order]).toEqual(['orders', null])
    route.back()
    expect([route.place, route.operation]).toEqual(['activity', 'another'])
    route.back()
    expect([route.place, route.customers]).toEqual(['customers', { what: 'page', customer: '7' }])
  })

  it('keeps what a place shows where the way to it names nothing else', () => {
    route.go({ place: 'orders', order: 'A1' })
    route.go({ place: 'buy' })
    route.go({ place: 'orders' })
    expect(route.order).toBe('A1')
    route.go({ place: 'activity', operation: 'one' })
    route.go({ place: 'activity' })
    expect(route.operation).toBe('one')
  })

  it('begins customers with their list, from inside them and from elsewhere, and Back returns to what was open', () => {
    route.go({ place: 'customers', view: { what: 'page', customer: '7' } })
    route.go({ place: 'customers' })
    expect(route.customers.what).toBe('list')
    route.back()
    expect(route.customers).toEqual({ what: 'page', customer: '7' })
    route.go({ place: 'buy' })
    route.go({ place: 'customers' })
    expect(route.customers.what).toBe('list')
  })

  it('takes no step where one is already', () => {
    route.go({ place: 'buy' })
    route.go({ place: 'buy' })
    route.back()
    expect(route.place).toBe('overview')
  })

  it('begins a task on the way once, and not again on the way back', () => {
    route.go({ place: 'customers', view: { what: 'list' } }, { what: 'create-customer' })
    expect(route.task).toEqual({ what: 'create-customer' })
    route.go({ place: 'buy' })
    route.back()
    expect([route.place, route.task]).toEqual(['customers', null])
  })

  it('carries the days in which the customers to list run out, once', () => {
    route.go({ place: 'customers', view: { what: 'list' }, within: 60 })
    expect(route.customersWithin).toBe(60)
    route.go({ place: 'buy' })
    route.back()
    expect([route.place, route.customersWithin]).toEqual(['customers', null])
  })

  it('remembers for each step where it was scrolled to, and for a place that is gone to again the last of them', () => {
    let offset = 300
    route.scrolls('content', () => offset)
    const kept = () => route.offsets.get('content')
    route.go({ place: 'orders', order: 'A1' })
    expect(kept()).toBeUndefined()
    offset = 500
    route.go({ place: 'buy' })
    offset = 0
    route.back()
    expect(kept()).toBe(500)
    offset = 500
    route.back()
    expect(kept()).toBe(300)
    route.go({ place: 'orders' })
    expect(kept()).toBe(500)
    route.go({ place: 'orders', order: 'B2' })
    expect(kept()).toBeUndefined()
    route.begin('overview')
    route.go({ place: 'orders', order: 'A1' })
    expect(kept()).toBeUndefined()
  })

  it('scrolls to the list of customers as it was, and to the top of a page', () => {
    route.go({ place: 'customers' })
    const end = route.scrolls('customers-rows', () => 800)
    route.go({ place: 'customers', view: { what: 'page', customer: '7' } })
    end()
    expect(route.offsets.size).toBe(0)
    route.go({ place: 'activity', operation: 'one' })
    route.go({ place: 'customers' })
    expect(route.offsets.get('customers-rows')).toBe(800)
    route.settle()
    expect(route.offsets.size).toBe(0)
  })

  it('leads back to nothing of another connection', () => {
    route.go({ place: 'activity', operation: 'one' })
    route.go({ place: 'orders', order: 'A1' })
    route.begin('orders')
    expect([route.place, route.order, route.operation]).toEqual(['orders', null, null])
    route.back()
    expect(route.place).toBe('orders')
  })
})
