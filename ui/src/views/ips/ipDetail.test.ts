import { expect, it } from 'vitest'
import type { GoodsView } from '../../bindings/GoodsView'
import { Program, part, settled } from '../../testing/program'
import { IpDetail } from './ipDetail.svelte'

const KEY = 'T1 192.0.2.7 1080'
const known = (note: string) => part<GoodsView>({ key: KEY, note })

it('reads an IP again when its order or the list of the vendor changed', async () => {
  const program = new Program().answer('goods_named', known('first'))
  const detail = new IpDetail(program.call, KEY)
  const stop = detail.watch()
  await settled()
  expect([program.last('goods_named'), detail.ip.value?.note]).toEqual([KEY, 'first'])
  for (const event of ['order-changed', 'ips-changed']) {
    program.answer('goods_named', known(event))
    await program.tell(event)
    expect(detail.ip.value?.note).toBe(event)
  }
  stop()
  await settled()
  const before = program.count('goods_named')
  await program.tell('order-changed')
  expect(program.count('goods_named')).toBe(before)
})

it('says why an IP cannot be read, and forgets one that is not known any more', async () => {
  const program = new Program().answer('goods_named', null)
  const detail = new IpDetail(program.call, KEY)
  await detail.load()
  expect(detail.ip.value).toBeNull()
  program.refuse('goods_named', 'journal')
  await detail.load()
  expect(detail.ip.error?.code).toBe('journal')
})
