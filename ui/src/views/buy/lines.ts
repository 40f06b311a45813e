/** What goes into a purchase: lines and configuration as typed, and the config they make. Pure. */
import type { InventoryCondition } from '../../bindings/InventoryCondition'
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import type { QuotaItem } from '../../bindings/QuotaItem'
import type { QuotaKind } from '../../bindings/QuotaKind'
import type { SegmentItem } from '../../bindings/SegmentItem'
import type { SpecificIpItem } from '../../bindings/SpecificIpItem'

/** IPs of an order at most. */
export const MOST_IPS = 500

/** `allocateStrategy`: random, segments, given IPs. */
export const STRATEGIES = ['1', '2', '3'] as const
export type Strategy = (typeof STRATEGIES)[number]

/** What a line sends, by its strategy. */
export type Item =
  | { strategy: '1'; item: QuotaItem }
  | { strategy: '2'; item: SegmentItem }
  | { strategy: '3'; item: SpecificIpItem }

/** A line with the names that a person sees. */
export type Line = Item & { key: number; nameEn: string; nameZh: string }

/** The configuration as the radio groups and fields hold it: text. */
export type Typed = {
  sellMode: string
  lineType: string
  businessId: string
  isUdp: boolean
  bandwidth: string
  connLimit: string
  days: string
  proxyType: string
}

/** The place as the pickers hold it. */
export type PlaceChoice = {
  kind: QuotaKind
  continentId: string
  countryCode: string
  stateId: string
  cityId: string
}

/** A whole number from 1 to `most`, or null. Full-width digits count. */
export function wholeNumber(text: string, most: number): number | null {
  const digits = text.normalize('NFKC').trim()
  if (!/^\d{1,9}$/.test(digits)) return null
  const value = Number(digits)
  return value >= 1 && value <= most ? value : null
}

/** The line that pickers and quantity make, or null while something is missing. */
export function lineItem(place: PlaceChoice, quantity: number): QuotaItem | null {
  switch (place.kind) {
    case 'global_random':
      return { type: place.kind, quantity }
    case 'continent_random':
      return place.continentId ? { type: place.kind, quantity, continentId: place.continentId } : null
    case 'country_random':
      return place.countryCode ? { type: place.kind, quantity, countryCode: place.countryCode } : null
    case 'city':
      return place.cityId
        ? { type: place.kind, quantity, countryCode: place.countryCode, cityId: place.cityId }
        : null
  }
}

/** Something of a place is chosen. "Anywhere" is a choice too. */
export function isBegun(place: PlaceChoice): boolean {
  const { kind, continentId, countryCode, stateId, cityId } = place
  return kind === 'global_random' || [continentId, countryCode, stateId, cityId].some((id) => id !== '')
}

/** A picker of the place, by its test id. */
export type Picker = 'buy-continent' | 'buy-country' | 'buy-state' | 'buy-city'

/** The picker that a place still lacks, or null. `hasStates`: its country is divided. */
export function missingPlace(place: PlaceChoice, hasStates: boolean): Picker | null {
  const { kind, continentId, countryCode, stateId, cityId } = place
  if (kind === 'global_random') return null
  if (kind === 'continent_random') return continentId ? null : 'buy-continent'
  if (!countryCode) return 'buy-country'
  if (kind === 'country_random' || cityId) return null
  return hasStates && !stateId ? 'buy-state' : 'buy-city'
}

/** IPs of one line. */
export function ipsOf(line: Item): number {
  if (line.strategy === '3') return 1
  return line.strategy === '1' ? line.item.quantity : line.item.purchaseIpCount
}

/** IPs of all lines together. */
export function ipsIn(lines: Item[]): number {
  return lines.reduce((sum, line) => sum + ipsOf(line), 0)
}

/** The list that the config carries for its strategy. */
function itemsOf(lines: Item[]): Pick<PurchaseConfig, 'quotaItems' | 'segmentItems' | 'specificIpItems'> {
  switch (lines[0]?.strategy) {
    case '2':
      return { segmentItems: lines.flatMap((line) => (line.strategy === '2' ? [line.item] : [])) }
    case '3':
      return { specificIpItems: lines.flatMap((line) => (line.strategy === '3' ? [line.item] : [])) }
    default:
      return { quotaItems: lines.flatMap((line) => (line.strategy === '1' ? [line.item] : [])) }
  }
}

/** The fields that still lack a usable value, by their test ids. */
export function missing(typed: Typed): string[] {
  const needed: [string, boolean][] = [
    ['buy-sell-mode', wholeNumber(typed.sellMode, 9) !== null],
    ['buy-line-type', typed.lineType.trim() !== ''],
    ['buy-business', typed.businessId.trim() !== ''],
    ['buy-conn-limit', wholeNumber(typed.connLimit, 1_000_000) !== null],
    ['buy-days', wholeNumber(typed.days, 3650) !== null],
    ['buy-bandwidth', typed.bandwidth.trim() === '' || /^\d{1,6}$/.test(typed.bandwidth.trim())],
  ]
  return needed.filter(([, there]) => !there).map(([id]) => id)
}

/** The config to be priced, or null while something is missing. All lines are of one strategy. */
export function config(lines: Item[], typed: Typed): PurchaseConfig | null {
  const [first] = lines
  if (!first || missing(typed).length > 0) return null
  return {
    sellMode: Number(typed.sellMode),
    lineType: typed.lineType.trim(),
    businessId: typed.businessId.trim(),
    isUdp: typed.isUdp,
    ...(typed.bandwidth.trim() === '' ? {} : { bandwidthLimit: Number(typed.bandwidth) }),
    connLimit: Number(typed.connLimit.normalize('NFKC')),
    days: Number(typed.days.normalize('NFKC')),
    allocateStrategy: Number(first.strategy),
    purchaseIpCount: ipsIn(lines),
    ...(typed.proxyType ? { proxyType: typed.proxyType } : {}),
    ...itemsOf(lines),
  }
}

/** What stock depends on, as far as it is chosen. */
export function stockCondition(typed: Typed, strategy: Strategy): InventoryCondition {
  const { sellMode, lineType, businessId, isUdp } = typed
  return {
    ...(sellMode ? { sellMode: Number(sellMode) } : {}),
    ...(lineType ? { lineType } : {}),
    ...(businessId ? { businessId } : {}),
    allocateStrategy: Number(strategy),
    isUdp,
  }
}

/** The network or IP of a line. */
export function addressOf(line: Item): string {
  if (line.strategy === '1') return ''
  return line.strategy === '2' ? line.item.cidr : line.item.proxyIp
}
