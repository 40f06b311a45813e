import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderView } from '../../bindings/OrderView'
import { Program, part, settled } from '../../testing/program'
import { Proxies } from './proxies.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const order = part<OrderView>({ orderNo: 'A', addresses: ['192.0.2.1:80'], colons: false })
let proxies: Proxies
beforeEach(() => {
  program.answer('order_particulars', null).answer('order_detail', order)
  proxies = new Proxies(program.call, 'A')
})

describe('proxies', () => {
  it('are concealed until asked for, and an answer that comes after they were concealed is dropped', async () => {
    await proxies.load()
    const asked = proxies.reveal()
    proxies.conceal()
    await program.held('reveal_proxies')[0]?.answer(['192.0.2.1:80:user:secret'])
    await asked
    expect([proxies.lines, proxies.error]).toEqual([null, null])
  })

  it('are shown in the form that was chosen last', async () => {
    program.answer('reveal_proxies', ({ layout }) => [layout.format])
    await proxies.reveal()
    await proxies.useFormat('at')
    expect(proxies.lines).toEqual(['at'])
  })

  it('leave the page with their view', async () => {
    program.answer('reveal_proxies', ['secret'])
    const stop = proxies.watch()
    await settled()
    await proxies.reveal()
    stop()
    expect(proxies.lines).toBeNull()
  })

  it('are read again when more of this order was delivered', async () => {
    const stop = proxies.watch()
    await settled()
    await program.tell('order-changed', 'B')
    await program.tell('order-changed', 'A')
    expect(program.count('order_detail')).toBe(2)
    stop()
  })

  it('stay on screen when they cannot be copied', async () => {
    await proxies.load()
    program.refuse('copy_proxies', 'unreachable')
    await proxies.copy()
    expect([proxies.error?.code, proxies.order?.orderNo]).toEqual(['unreachable', 'A'])
  })
})
