/** Which choices of an earlier purchase the vendor still offers. Pure functions. */
import type { Choices } from '../../bindings/Choices'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import { leaves } from '../../lib/names.svelte'
import type { Typed } from './lines'

/** Whether a value is offered. Anything can be typed where no choice can be read. */
function isOffered({ known, unread }: Choices, value: string): boolean {
  return known.length === 0 || unread.length > 0 || leaves(known).some((one) => one.value === value)
}

/** A choice beside the places, as in the language files. */
export type Setting = 'sell-mode' | 'line-type' | 'business' | 'days' | 'bandwidth' | 'conn-limit' | 'udp'

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
