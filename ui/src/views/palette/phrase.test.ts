import { describe, expect, it } from 'vitest'
import { readPhrase } from './phrase'

/** What a text says, in short. */
function said(text: string): string | null {
  const phrase = readPhrase(text)
  if (!phrase) return null
  if (phrase.what === 'hand-over') return `hand over ${phrase.order || '?'}`
  if (phrase.what === 'access') return `${phrase.change} ${phrase.name}`
  if (phrase.what === 'buy') return `buy ${phrase.quantity || '?'} ${phrase.place || '?'}`
  return `${phrase.direction === 'recharge' ? '+' : '-'} ${phrase.name} ${phrase.gb || '?'}`
}

const CASES: Record<string, string | null> = {
  'add 5 to bob2': '+ bob2 5',
  'Add 5 GB to bob2': '+ bob2 5GB',
  'add 5g for ali@x.com': '+ ali@x.com 5g',
  'add bob2 5': '+ bob2 5',
  'add 5g bob2': '+ bob2 5g',
  'give bob2 512 mb': '+ bob2 512mb',
  'top up bob2 5': '+ bob2 5',
  'top-up bob2 with 1.5': '+ bob2 1.5',
  'topup bob2 by 5g': '+ bob2 5g',
  'top up bob2': '+ bob2 ?',
  'top up 100001 5': '+ 100001 5',
  'add 5 to 100001': '+ 100001 5',
  'recharge Bob Two 1,5g': '+ Bob Two 1,5g',
  'bob2 5g': '+ bob2 5g',
  '  bob2   5 gb ': '+ bob2 5gb',
  'ｂｏｂ２　５ｇ': '+ bob2 5g',
  'deduct 2 from ali': '- ali 2',
  'deduct ali 2g': '- ali 2g',
  'deduct ali': '- ali ?',
  'take 2gb back from ali': '- ali 2gb',
  'take 2 from ali': '- ali 2',
  'remove 512mb from ali5': '- ali5 512mb',
  'buy 5 germany': 'buy 5 germany',
  'buy 5 in new york': 'buy 5 new york',
  'buy 5 ips in germany': 'buy 5 germany',
  'buy germany 5': 'buy 5 germany',
  'buy in germany': 'buy ? germany',
  'buy germany': 'buy ? germany',
  'buy 5': 'buy 5 ?',
  'order 10 japan': 'buy 10 japan',
  '给 bob2 充 5': '+ bob2 5',
  给bob2充值5G: '+ bob2 5G',
  '给 bob2 加 512mb': '+ bob2 512mb',
  '给 bob2 充值': '+ bob2 ?',
  '充值 bob2 5G': '+ bob2 5G',
  '充 5G 给 bob2': '+ bob2 5G',
  充值5给王五: '+ 王五 5',
  '充值 bob2': '+ bob2 ?',
  'bob2 充 5': '+ bob2 5',
  王五充值5G: '+ 王五 5G',
  '从 ali 扣 2': '- ali 2',
  从ali扣减2G: '- ali 2G',
  '扣减 ali 2g': '- ali 2g',
  '扣 ali 2': '- ali 2',
  'ali 扣 2': '- ali 2',
  '买 5 德国': 'buy 5 德国',
  买5个德国: 'buy 5 德国',
  '购买 5 个德国的 IP': 'buy 5 德国',
  '买德国 5 个': 'buy 5 德国',
  买德国: 'buy ? 德国',
  'reset password of bob2': 'password bob2',
  'Set the password for Bob Two': 'password Bob Two',
  'new password bob2': 'password bob2',
  'password bob2': 'password bob2',
  "reset bob2's password": 'password bob2',
  'change bob2 password': 'password bob2',
  '重置 bob2 的密码': 'password bob2',
  '给 bob2 改密码': 'password bob2',
  修改王五的密码: 'password 王五',
  'enable bob2': 'enable bob2',
  'disable bob2': 'disable bob2',
  '停用 bob2': 'disable bob2',
  启用王五: 'enable 王五',
  'hand over': 'hand over ?',
  'hand over order 2059': 'hand over 2059',
  'Hand over the IPs lisbon': 'hand over lisbon',
  'hand over the IPs of order 2059': 'hand over 2059',
  '发给买家 203.0.113.7': 'hand over 203.0.113.7',
  '发给买家：订单 2059 的 IP': 'hand over 2059',
  交付时间: null,
  发货: 'hand over ?',
  // These are no phrases: names, numbers, pages, and what lacks an object.
  bob2: null,
  'bob2 5': null,
  '5g': null,
  'add 5': null,
  add: null,
  buy: null,
  'top up': null,
  orders: null,
  password: null,
  enable: null,
  停用: null,
  密码: null,
  '203.0.113.7': null,
  德国: null,
  充值: null,
  '': null,
}

describe('a phrase', () => {
  for (const [text, expected] of Object.entries(CASES))
    it(`${JSON.stringify(text)} says ${expected ?? 'nothing'}`, () => {
      expect(said(text)).toBe(expected)
    })
})
