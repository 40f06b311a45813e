/** Parses pasted networks and IPs, one per line with its details. Pure functions. */
import type { SegmentItem } from '../../bindings/SegmentItem'
import type { SpecificIpItem } from '../../bindings/SpecificIpItem'
import { plain } from '../../lib/typed'
import { MOST_IPS, wholeNumber } from './lines'

/** A line that cannot be parsed; `why` is a key of the language files. */
export type Problem = {
  line: number
  text: string
  why: 'not-an-address' | 'not-a-network' | 'quantity' | 'twice'
}
export type Read<T> = { items: T[]; problems: Problem[] }

const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`)

/** Whether a word is an IPv4 or IPv6 address, without brackets, port or zone. */
export function isAddress(text: string): boolean {
  if (IPV4.test(text)) return true
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':')) return false
  try {
    return new URL(`http://[${text}]/`).hostname.length > 0
  } catch {
    return false
  }
}

/** Whether a word is a network: an address, a slash and a possible number of bits. */
export function isNetwork(text: string): boolean {
  const [address = '', length = '', more] = text.split('/')
  if (more !== undefined || !isAddress(address) || !/^\d{1,3}$/.test(length)) return false
  return Number(length) <= (address.includes(':') ? 128 : 32)
}

/** Splits text into the words of each line that has any. Blanks, commas and their Chinese forms separate words. */
function words(text: string): { line: number; text: string; words: string[] }[] {
  return plain(text)
    .split(/\r?\n/)
    .map((whole, at) => ({
      line: at + 1,
      text: whole.trim(),
      // "/24x2" is two words. The web view of macOS 13 knows no lookbehind.
      words: whole
        .replace(/(\/\d+)[x×*]/g, '$1 ')
        .split(/[\s,;、。|]+/)
        .filter((word) => word && !/^[x×*]$/.test(word)),
    }))
    .filter((line) => line.words.length > 0)
}

/** Parses lines such as `203.0.113.0/24 10 cidrId`. The id is optional; `quantity` is the default number. */
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

/** Parses lines such as `192.0.2.7 proxyId`. The id is optional, and a line may hold several addresses. */
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
