/** Which choices of an earlier purchase the vendor still offers. Pure functions. */
import type { Choices } from '../../bindings/Choices'
import type { PurchaseOptions } from '../../bindings/PurchaseOptions'
import { leaves } from '../../lib/names.svelte'
import type { Typed } from './lines'

/** Whether a value is offered. Anything can be typed where no choice can be read. */
function isOffered({ known, unread }: Choices, value: string): boolean {
  return known.length === 0 || unread.length > 0 || leaves(known).some((one) => one.value === value)
}

/** Empties the choices that are no longer offered. `gone`: the test ids of their fields. */
export function stillOffered(typed: Typed, options: PurchaseOptions): { kept: Typed; gone: string[] } {
  const lists = [
    ['sellMode', 'buy-sell-mode', options.exclusivity],
    ['lineType', 'buy-line-type', options.quality],
    ['businessId', 'buy-business', options.business],
    ['days', 'buy-days', options.duration],
    ['bandwidth', 'buy-bandwidth', options.bandwidth],
    ['connLimit', 'buy-conn-limit', options.connLimit],
  ] as const
  const lost = lists.filter(([key, , choices]) => typed[key] !== '' && !isOffered(choices, typed[key]))
  const kept = { ...typed, ...Object.fromEntries(lost.map(([key]) => [key, ''])) }
  const gone: string[] = lost.map(([, field]) => field)
  const [udp, other] = options.udp.offered
  if (udp && !other && udp.on !== typed.isUdp) {
    kept.isUdp = udp.on
    gone.push('buy-udp')
  }
  return { kept, gone }
}
