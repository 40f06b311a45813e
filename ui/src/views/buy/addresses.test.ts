import { expect, test } from 'vitest'
import { isAddress, isNetwork, readIps, readSegments } from './addresses'

test('addresses of both families are told from what only looks like one', () => {
  const good = [
    '192.0.2.1',
    '0.0.0.0',
    '255.255.255.255',
    '2001:db8::1',
    '::1',
    '::ffff:192.0.2.1',
    'FE80::1',
  ]
  const bad = [
    '192.0.2',
    '192.0.2.256',
    '01.2.3.4',
    '1.2.3.4.5',
    '2001:db8',
    ':::',
    '[::1]',
    '::1%eth0',
    '::g',
    '1',
    '',
    'a.b.c.d',
    '::1/64',
  ]
  for (const text of good) expect(isAddress(text), text).toBe(true)
  for (const text of bad) expect(isAddress(text), text).toBe(false)
})

test('a network has as many bits as its family allows', () => {
  for (const text of ['203.0.113.0/24', '0.0.0.0/0', '192.0.2.1/32', '2001:db8::/32', '::/0', '::1/128'])
    expect(isNetwork(text), text).toBe(true)
  for (const text of [
    '203.0.113.0',
    '203.0.113.0/33',
    '::/129',
    '203.0.113.0/',
    '203.0.113.0/24/1',
    '203.0.113.0/-1',
    '/24',
  ])
    expect(isNetwork(text), text).toBe(false)
})

test('segments are read as people paste them', () => {
  const lines =
    '203.0.113.0/24 10\n\n 192.0.2.0/24,5\r\n2001:db8::/32；3\n198.51.100.0/24 x 7 2059463641505337345\n10.0.0.0/8\n１０.１.０.０/１６　２'
  expect(readSegments(lines, '4')).toEqual({
    items: [
      { cidr: '203.0.113.0/24', purchaseIpCount: 10 },
      { cidr: '192.0.2.0/24', purchaseIpCount: 5 },
      { cidr: '2001:db8::/32', purchaseIpCount: 3 },
      { cidr: '198.51.100.0/24', cidrId: '2059463641505337345', purchaseIpCount: 7 },
      { cidr: '10.0.0.0/8', purchaseIpCount: 4 },
      { cidr: '10.1.0.0/16', purchaseIpCount: 2 },
    ],
    problems: [],
  })
})

test('each wrong segment is named by its line, and the right ones are still read', () => {
  const read = readSegments('203.0.113.0/24 0\nnonsense\n192.0.2.0/24 1\n192.0.2.0/24 2\n10.0.0.0/8 1.5', '1')
  expect(read.items).toEqual([{ cidr: '192.0.2.0/24', purchaseIpCount: 1 }])
  expect(read.problems.map(({ line, why }) => [line, why])).toEqual([
    [1, 'quantity'],
    [2, 'not-a-network'],
    [4, 'twice'],
    [5, 'quantity'],
  ])
})

test('addresses are read one or many a line, with the id that may follow one', () => {
  expect(readIps('192.0.2.1\n192.0.2.2, 192.0.2.3\n2001:db8::7 2059463641505337345\n')).toEqual({
    items: [
      { proxyIp: '192.0.2.1' },
      { proxyIp: '192.0.2.2' },
      { proxyIp: '192.0.2.3' },
      { proxyIp: '2001:db8::7', proxyId: '2059463641505337345' },
    ],
    problems: [],
  })
})

test('an address that is wrong or there twice is named by its line', () => {
  const read = readIps('192.0.2.1\n192.0.2.300\n192.0.2.1\n192.0.2.4:1080')
  expect(read.items).toEqual([{ proxyIp: '192.0.2.1' }])
  expect(read.problems.map(({ line, why }) => [line, why])).toEqual([
    [2, 'not-an-address'],
    [3, 'twice'],
    [4, 'not-an-address'],
  ])
})
