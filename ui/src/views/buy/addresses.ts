/** Networks and IPs as people paste them: one a line, with what belongs to them. Pure. */
import type { SegmentItem } from '../../bindings/SegmentItem'
import type { SpecificIpItem } from '../../bindings/SpecificIpItem'
import { MOST_IPS, wholeNumber } from './lines'

/** A line that cannot be read; `why` names a sentence of the language files. */
export type Problem = {
  line: number
  text: string
  why: 'not-an-address' | 'not-a-network' | 'quantity' | 'twice'
}
export type Read<T> = { items: T[]; problems: Problem[] }

const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`)

/** An IPv4 or IPv6 address, without brackets, port or zone. */
export function isAddress(text: string): boolean {
  if (IPV4.test(text)) return true
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':')) return false
  try {
    return new URL(`http://[${text}]/`).hostname.length > 0
  } catch {
    return false
  }
}

/** A network: an address, a slash and as many bits as it has at most. */
export function isNetwork(text: string): boolean {
  const [address = '', length = '', more] = text.split('/')
  if (more !== undefined || !isAddress(address) || !/^\d{1,3}$/.test(length)) return false
  return Number(length) <= (address.includes(':') ? 128 : 32)
}

/** The words of each line that holds any: blanks, commas and their Chinese kin separate. */
function words(text: string): { line: number; text: string; words: string[] }[] {
  return text
    .normalize('NFKC')
    .split(/\r?\n/)
    .map((whole, at) => ({
      line: at + 1,
      text: whole.trim(),
      words: whole.split(/[\s,;、。|]+|(?<=\/\d+)[x×*]/).filter((word) => word && !/^[x×*]$/.test(word)),
    }))
    .filter((line) => line.words.length > 0)
}

/** `203.0.113.0/24 10 cidrId`: a quantity that is left out is `quantity`, the id may be left out. */
export function readSegments(text: string, quantity: string): Read<SegmentItem> {
  const read: Read<SegmentItem> = { items: [], problems: [] }
  for (const { line, text: whole, words: found } of words(text)) {
    const [cidr = '', count = quantity, cidrId] = found
    const purchaseIpCount = wholeNumber(count, MOST_IPS)
    const wrong = (why: Problem['why']) => read.problems.push({ line, text: whole, why })
    if (!isNetwork(cidr)) wrong('not-a-network')
    else if (purchaseIpCount === null) wrong('quantity')
    else if (read.items.some((item) => item.cidr === cidr)) wrong('twice')
    else read.items.push({ cidr, ...(cidrId ? { cidrId } : {}), purchaseIpCount })
  }
  return read
}

/** `192.0.2.7 proxyId`: the id may be left out. Several addresses may share a line. */
export function readIps(text: string): Read<SpecificIpItem> {
  const read: Read<SpecificIpItem> = { items: [], problems: [] }
  for (const { line, text: whole, words: found } of words(text)) {
    const addresses = found.filter((word) => isAddress(word))
    const wrong = (why: Problem['why']) => read.problems.push({ line, text: whole, why })
    const [, second] = found
    const withId = addresses.length === 1 && found.length === 2 && second && /^\d+$/.test(second)
    if (addresses.length !== found.length && !withId) {
      wrong('not-an-address')
      continue
    }
    for (const proxyIp of addresses) {
      if (read.items.some((item) => item.proxyIp === proxyIp)) wrong('twice')
      else read.items.push({ proxyIp, ...(withId ? { proxyId: second } : {}) })
    }
  }
  return read
}
