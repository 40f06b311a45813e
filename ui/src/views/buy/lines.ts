/** The contents of a purchase: lines and configuration as typed, and the resulting config. Pure functions. */
import type { InventoryCondition } from '../../bindings/InventoryCondition'
import type { PurchaseConfig } from '../../bindings/PurchaseConfig'
import type { QuotaItem } from '../../bindings/QuotaItem'
import type { QuotaKind } from '../../bindings/QuotaKind'
import type { SegmentItem } from '../../bindings/SegmentItem'
import type { SpecificIpItem } from '../../bindings/SpecificIpItem'
import { plain } from '../../lib/typed'

/** The most IPs in an order. */
export const MOST_IPS = 500

/** Values of `allocateStrategy`: 1 random, 2 segments, 3 given IPs. */
export const STRATEGIES = ['1', '2', '3'] as const
export type Strategy = (typeof STRATEGIES)[number]

/** The item that a line sends, by strategy. */
export type Item =
  | { strategy: '1'; item: QuotaItem }
  | { strategy: '2'; item: SegmentItem }
  | { strategy: '3'; item: SpecificIpItem }

/** A line with the names to show. */
export type Line = Item & { key: number; nameEn: string; nameZh: string }

/** The configuration as typed: text, as radio groups and fields hold it. */
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

/** The place as chosen in the pickers; empty ids are not chosen. */
export type PlaceChoice = {
  kind: QuotaKind
  continentId: string
  countryCode: string
  stateId: string
  cityId: string
}

/** No place, spread by country. */
export const NOWHERE: PlaceChoice = {
  kind: 'country_random',
  continentId: '',
  countryCode: '',
  stateId: '',
  cityId: '',
}

/** Parses a whole number from 1 to `most`, also in full-width digits; null: it is not one. */
export function wholeNumber(text: string, most: number): number | null {
  const digits = plain(text).trim()
  if (!/^\d{1,9}$/.test(digits)) return null
  const value = Number(digits)
  return value >= 1 && value <= most ? value : null
}

/** Makes a line of pickers and quantity; null: something is missing. */
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

/** Whether any part of a place is chosen. "Anywhere" is a choice too. */
export function isBegun(place: PlaceChoice): boolean {
  const { kind, continentId, countryCode, stateId, cityId } = place
  return kind === 'global_random' || [continentId, countryCode, stateId, cityId].some((id) => id !== '')
}

/** The test id of a place picker. */
export type Picker = 'buy-continent' | 'buy-country' | 'buy-state' | 'buy-city'

/** Returns the picker that is still missing; null: none. `hasStates`: whether the country has states. */
export function missingPlace(place: PlaceChoice, hasStates: boolean): Picker | null {
  const { kind, continentId, countryCode, stateId, cityId } = place
  if (kind === 'global_random') return null
  if (kind === 'continent_random') return continentId ? null : 'buy-continent'
  if (!countryCode) return 'buy-country'
  if (kind === 'country_random' || cityId) return null
  return hasStates && !stateId ? 'buy-state' : 'buy-city'
}

/** Returns the number of IPs in a line. */
export function ipsOf(line: Item): number {
  if (line.strategy === '3') return 1
  return line.strategy === '1' ? line.item.quantity : line.item.purchaseIpCount
}

/** Returns the number of IPs in all lines. */
export function ipsIn(lines: Item[]): number {
  return lines.reduce((sum, line) => sum + ipsOf(line), 0)
}

/** The list in the config for its strategy. */
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

/** The most days in an order. */
const MOST_DAYS = 3650

/** Returns the days as typed; null: they are no usable number. */
export function daysOf(typed: Typed): number | null {
  return wholeNumber(typed.days, MOST_DAYS)
}

/** Returns the test ids of fields without a usable value, as they follow on screen. */
export function missing(typed: Typed): string[] {
  const needed: [string, boolean][] = [
    ['buy-sell-mode', wholeNumber(typed.sellMode, 9) !== null],
    ['buy-line-type', typed.lineType.trim() !== ''],
    ['buy-business', typed.businessId.trim() !== ''],
    ['buy-days', daysOf(typed) !== null],
    ['buy-bandwidth', typed.bandwidth.trim() === '' || /^\d{1,6}$/.test(typed.bandwidth.trim())],
    ['buy-conn-limit', wholeNumber(typed.connLimit, 1_000_000) !== null],
  ]
  return needed.filter(([, there]) => !there).map(([id]) => id)
}

/** Returns the lines of a config. */
export function linesOf(of: PurchaseConfig): Item[] {
  return [
    ...(of.quotaItems ?? []).map((item) => ({ strategy: '1', item }) as const),
    ...(of.segmentItems ?? []).map((item) => ({ strategy: '2', item }) as const),
    ...(of.specificIpItems ?? []).map((item) => ({ strategy: '3', item }) as const),
  ]
}

/** Returns a config as it would be typed. */
export function typedOf(of: PurchaseConfig): Typed {
  return {
    sellMode: String(of.sellMode),
    lineType: of.lineType,
    businessId: of.businessId,
    isUdp: of.isUdp,
    bandwidth: of.bandwidthLimit === undefined ? '' : String(of.bandwidthLimit),
    connLimit: String(of.connLimit),
    days: String(of.days),
    proxyType: of.proxyType ?? '',
  }
}

/** Makes the config to price; null: something is missing. All lines have the same strategy. */
export function config(lines: Item[], typed: Typed): PurchaseConfig | null {
  const [first] = lines
  if (!first || missing(typed).length > 0) return null
  return {
    sellMode: Number(typed.sellMode),
    lineType: typed.lineType.trim(),
    businessId: typed.businessId.trim(),
    isUdp: typed.isUdp,
    ...(typed.bandwidth.trim() === '' ? {} : { bandwidthLimit: Number(typed.bandwidth) }),
    connLimit: Number(plain(typed.connLimit)),
    days: Number(plain(typed.days)),
    allocateStrategy: Number(first.strategy),
    purchaseIpCount: ipsIn(lines),
    ...(typed.proxyType ? { proxyType: typed.proxyType } : {}),
    ...itemsOf(lines),
  }
}

/** Returns what the stock depends on, as far as it is chosen. */
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

/** Returns the network or IP of a line; empty for a random one. */
export function addressOf(line: Item): string {
  if (line.strategy === '1') return ''
  return line.strategy === '2' ? line.item.cidr : line.item.proxyIp
}
