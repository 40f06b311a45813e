import { describe, expect, it } from 'vitest'
import type { NewIp } from '../../bindings/NewIp'
import { Program, part } from '../../testing/program'
import { NewIps } from './newIps.svelte'

const ip = (host: string) => part<NewIp>({ host, port: null })

describe('new IPs', () => {
  it('are those of the order, with the number of the rest', async () => {
    const program = new Program()
    const ips = new NewIps(program.call, () => 'op-1')
    program.answer('new_ips', { since: 1, readAt: 2, ips: [ip('192.0.2.1')], total: 3 })
    await ips.read()
    expect([program.last('new_ips'), ips.value?.ips[0]?.host, ips.more]).toEqual(['op-1', '192.0.2.1', 2])
  })

  it('stay on screen when the list cannot be read again', async () => {
    const program = new Program()
    const ips = new NewIps(program.call, () => 'op-1')
    program.answer('new_ips', { since: 1, readAt: 2, ips: [], total: 0 })
    await ips.read()
    program.refuse('new_ips', 'no-connection')
    await ips.read()
    expect([ips.value?.since, ips.error?.code]).toEqual([1, 'no-connection'])
  })

  it('are not told where the vendor has no list', async () => {
    const program = new Program()
    const ips = new NewIps(program.call, () => 'op-1')
    program.answer('new_ips', null)
    await ips.read()
    expect([ips.value, ips.more]).toEqual([null, 0])
  })
})
