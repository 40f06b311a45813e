/** What of an earlier purchase the vendor still offers. Pure functions. */
import type { Choices } from '../../bindings/Choices'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import { type Kind, leaves, type Names } from '../../lib/names.svelte'
import type { Item, Typed } from './lines'

/** Whether a value is offered. Anything can be typed where no choice can be read. */
function isOffered({ known, unread }: Choices, value: string): boolean {
  return known.length === 0 || unread.length > 0 || leaves(known).some((one) => one.value === value)
}

/** A choice beside the places, as in the language files. */
export type Setting = 'sell-mode' | 'line-type' | 'business' | 'days' | 'bandwidth' | 'conn-limit' | 'udp'

/** A choice, or a place by its id, that is no longer offered. */
export type Gone = Setting | { place: string }

/** The field of each choice. */
export const FIELDS: Record<Setting, keyof Typed> = {
  'sell-mode': 'sellMode',
  'line-type': 'lineType',
  business: 'businessId',
  days: 'days',
  bandwidth: 'bandwidth',
  'conn-limit': 'connLimit',
  udp: 'isUdp',
}

/** Leaves out lines whose place is no longer in the list of places. `lost`: these places. */
export function stillThere(lines: Item[], names: Names): { lines: Item[]; lost: { place: string }[] } {
  if (!names.hasPlaces) return { lines, lost: [] }
  const lost: { place: string }[] = []
  const there = lines.filter((line) => {
    const place = placeOf(line)
    if (!place || names.knows(place.kind, place.id)) return true
    lost.push({ place: place.id })
    return false
  })
  return { lines: there, lost }
}

/** The most exact place of a random line; null: it has none. Given IPs and segments stand for themselves. */
function placeOf(line: Item): { kind: Kind; id: string } | null {
  if (line.strategy !== '1') return null
  const { type, continentId = '', countryCode = '', cityId = '' } = line.item
  if (type === 'continent_random') return { kind: 'continent', id: continentId }
  if (type === 'country_random') return { kind: 'country', id: countryCode }
  return type === 'city' ? { kind: 'city', id: cityId } : null
}

/** Empties the choices that are no longer offered. `gone`: which they are. */
export function stillOffered(typed: Typed, options: PurchaseOptions): { kept: Typed; gone: Setting[] } {
  const lists = [
    ['sellMode', 'sell-mode', options.exclusivity],
    ['lineType', 'line-type', options.quality],
    ['businessId', 'business', options.business],
    ['days', 'days', options.duration],
    ['bandwidth', 'bandwidth', options.bandwidth],
    ['connLimit', 'conn-limit', options.connLimit],
  ] as const
  const lost = lists.filter(([key, , choices]) => typed[key] !== '' && !isOffered(choices, typed[key]))
  const kept = { ...typed, ...Object.fromEntries(lost.map(([key]) => [key, ''])) }
  const gone: Setting[] = lost.map(([, field]) => field)
  const [udp, other] = options.udp.offered
  if (udp && !other && udp.on !== typed.isUdp) {
    kept.isUdp = udp.on
    gone.push('udp')
  }
  return { kept, gone }
}
