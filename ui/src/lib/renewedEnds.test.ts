import { describe, expect, it } from 'vitest'
import { APPLIED, operation, REJECTED } from '../testing/operation'
import { Program } from '../testing/program'
import { RenewedEnds } from './renewedEnds.svelte'

const ip = (id: string, later: boolean | null) => ({ id, expires: '2026-12-01 00:00:00', later })

describe('the ends of renewed IPs', () => {
  it('are those that the list tells since the send', async () => {
    const program = new Program().answer('renewed_ends', { readAt: 5, ips: [ip('7', true), ip('8', false)] })
    const ends = new RenewedEnds(program.call, () => operation({ ...APPLIED, kind: 'renew' }))
    await ends.read()
    expect([ends.of('7')?.later, ends.of('9'), ends.allLater]).toEqual([true, null, false])
    program.answer('renewed_ends', { readAt: 6, ips: [ip('7', true), ip('8', true)] })
    await ends.read()
    expect(ends.allLater).toBe(true)
  })

  it('are not told by a list that was read before the send', async () => {
    const program = new Program().answer('renewed_ends', { readAt: null, ips: [ip('7', false)] })
    const ends = new RenewedEnds(program.call, () => operation({ ...APPLIED, kind: 'renew' }))
    await ends.read()
    expect([ends.of('7'), ends.isRead, ends.allLater]).toEqual([null, false, false])
  })

  it('are not asked for when nothing was renewed', async () => {
    const program = new Program()
    await new RenewedEnds(program.call, () => operation({ ...REJECTED, kind: 'renew' })).read()
    expect(program.count('renewed_ends')).toBe(0)
  })
})
