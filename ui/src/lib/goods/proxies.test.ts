import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderView } from '../../bindings/OrderView'
import type { Particulars } from '../../bindings/Particulars'
import { Program, part, settled } from '../../testing/program'
import { concealed, Proxies } from './proxies.svelte'

let program: Program
beforeEach(() => {
  program = new Program()
})

const order = part<OrderView>({
  orderNo: 'A',
  addresses: ['192.0.2.1:80'],
  colons: false,
  particulars: part<Particulars>({ proxies: [] }),
})
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

  it('are shown in the form that is chosen before they arrive', async () => {
    const first = proxies.reveal()
    const again = proxies.useFormat('at')
    const [early, late] = program.held('reveal_proxies')
    await late?.answer(['at'])
    await early?.answer(['host-first'])
    await Promise.all([first, again])
    expect(proxies.lines).toEqual(['at'])
  })

  it('begin with the format and kind of file that were used last', async () => {
    program.answer('last_hand_over', { format: 'at', kind: 'csv' })
    const stop = proxies.watch()
    await settled()
    expect([proxies.format, proxies.kind]).toEqual(['at', 'csv'])
    stop()
  })

  it('keep a format that was chosen before the last one arrived', async () => {
    const stop = proxies.watch()
    await settled()
    await proxies.useFormat('host-only')
    await program.held('last_hand_over')[0]?.answer({ format: 'at', kind: 'csv' })
    expect(proxies.format).toBe('host-only')
    stop()
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

describe('a concealed proxy', () => {
  const hidden = '••••••••'

  it.each([
    ['host-first', `192.0.2.1:80:${hidden}:${hidden}`],
    ['user-first', `${hidden}:${hidden}:192.0.2.1:80`],
    ['at', `${hidden}:${hidden}@192.0.2.1:80`],
    ['socks5', `socks5://${hidden}:${hidden}@192.0.2.1:80`],
    ['http', `http://${hidden}:${hidden}@192.0.2.1:80`],
    ['host-only', '192.0.2.1:80'],
  ] as const)('stands in the format %s', (format, line) => {
    expect(concealed(format, '', '192.0.2.1:80')).toBe(line)
  })

  it('keeps the brackets of IPv6', () => {
    expect(concealed('at', '', '[2001:db8::1]:80')).toBe(`${hidden}:${hidden}@[2001:db8::1]:80`)
  })

  it('fills the own template, and leaves what it does not know', () => {
    const line = concealed('own', '%protocol%|%login%|%password%|%ip%|%port%|%x%', '[2001:db8::1]:80', 'http')
    expect(line).toBe(`http|${hidden}|${hidden}|[2001:db8::1]|80|%x%`)
  })

  it('follows the format that is chosen', async () => {
    await proxies.load()
    await proxies.useFormat('host-only')
    expect(proxies.shown).toEqual(['192.0.2.1:80'])
    await proxies.useFormat('at')
    expect(proxies.shown).toEqual([`${hidden}:${hidden}@192.0.2.1:80`])
    program.answer('reveal_proxies', ['secret'])
    await proxies.reveal()
    expect(proxies.shown).toEqual(['secret'])
  })
})
