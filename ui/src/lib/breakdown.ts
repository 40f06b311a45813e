/** The parts of a price as a person reads them: in the order of a receipt, with what a unit price is for. */
import type { FactWord } from '../bindings/FactWord'
import type { Part } from '../bindings/Part'

/** What opens a receipt, and what ends it; everything else stands between, in the vendor's order. */
const PLACES: Partial<Record<FactWord, number>> = { original: -1, payable: 1 }
const placeOf = ({ word }: Part) => (word && PLACES[word]) || 0

/**
 * Sorts totals and discounts: the sum before discounts, the discounts, what is to be paid. Where the sums stand together
 * above the discounts, what is to be paid moves below these.
 */
export function asReceipt(parts: Part[]): Part[] {
  const ends: Part[] = []
  const rest = parts.map((part) => {
    const paid = part.facts.filter(({ word }) => word === 'payable')
    if (paid.length === 0 || part.parts.length === 0) return part
    ends.push({
      key: '',
      word: null,
      nameZh: '',
      nameEn: '',
      quantity: null,
      amount: null,
      facts: paid,
      parts: [],
    })
    return { ...part, facts: part.facts.filter((fact) => !paid.includes(fact)) }
  })
  return [...rest.toSorted((one, other) => placeOf(one) - placeOf(other)), ...ends]
}

/**
 * Whether the unit price of a part is per IP and day, or per IP: the one with which its amount comes out. The vendor
 * does not say it. Null where neither does, or where both do.
 */
export function unitOf(part: Part, days: number | null): 'ip' | 'ip-day' | null {
  const unit = part.facts.find(({ word }) => word === 'unit-price')?.value
  if (!unit || !part.quantity || !part.amount || days === null) return null
  const isPerIp = isProduct([unit, part.quantity], part.amount)
  const isPerDay = isProduct([unit, part.quantity, String(days)], part.amount)
  if (isPerIp === isPerDay) return null
  return isPerDay ? 'ip-day' : 'ip'
}

/** Whether decimals multiply to another one, exactly. */
function isProduct(factors: string[], product: string): boolean {
  const all = factors.map(scaled)
  const of = scaled(product)
  if (!of || all.some((one) => one === null)) return false
  const [digits, places] = all.reduce<[bigint, bigint]>(
    (so, one) => (one ? [so[0] * one[0], so[1] + one[1]] : so),
    [1n, 0n],
  )
  return digits * 10n ** of[1] === of[0] * 10n ** places
}

/** The digits of a plain decimal, and how many of them come after the point. */
function scaled(exact: string): [bigint, bigint] | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(exact) ?? []
  return whole === undefined ? null : [BigInt(whole + fraction), BigInt(fraction.length)]
}
