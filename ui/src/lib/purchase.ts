/** What a purchase buys, in the user's words. */
import type { PurchaseConfig } from '../bindings/PurchaseConfig'
import type { QuotaItem } from '../bindings/QuotaItem'
import { list, named } from './format'
import { t } from './i18n.svelte'
import type { Names } from './names.svelte'
import { udpWord, unlimited, valueWord } from './purchaseWords'

/** A fact of a purchase; `what` is a part of its test id. */
export type Row = { what: string; label: string; value: string }

/** The most lines that are named; the others are counted. */
const NAMED = 6

/** Returns both names of a line's place. */
export function placeNames(line: QuotaItem, names: Names): { nameZh: string; nameEn: string } {
  switch (line.type) {
    case 'global_random':
      return { nameZh: t('buy.anywhere'), nameEn: t('buy.anywhere') }
    case 'continent_random':
      return names.both('continent', line.continentId ?? '')
    case 'country_random':
      return names.both('country', line.countryCode ?? '')
    case 'city':
      return names.both('city', line.cityId ?? '')
  }
}

/** Returns the name of a line's place. A city has its country beside it. */
function placeName(line: QuotaItem, names: Names): string {
  const name = named(placeNames(line, names))
  return line.type === 'city' && line.countryCode ? `${name}, ${names.of('country', line.countryCode)}` : name
}

/** Returns each line with the number of its IPs. */
function lines(of: PurchaseConfig, names: Names): string[] {
  const counted = (name: string, count: number) => t('price.line', { name, count })
  return [
    ...(of.quotaItems ?? []).map((line) => counted(placeName(line, names), line.quantity)),
    ...(of.segmentItems ?? []).map((line) => counted(line.cidr, line.purchaseIpCount)),
    ...(of.specificIpItems ?? []).map((line) => line.proxyIp),
  ]
}

/** Returns the lines as a list in words. */
export function placesText(of: PurchaseConfig, names: Names): string {
  const all = lines(of, names)
  const shown = all.length > NAMED + 1 ? all.slice(0, NAMED) : all
  const rest = all.length - shown.length
  const told = list(shown)
  return rest > 0 ? `${shown.join(', ')} ${t('pay.more', { count: rest })}` : told
}

/** Returns everything that was chosen for a purchase. A default of the vendor's is left out. */
export function purchaseRows(of: PurchaseConfig, names: Names): Row[] {
  const bandwidth = of.bandwidthLimit === undefined ? '' : String(of.bandwidthLimit)
  const protocol = of.proxyType ?? ''
  const rows: Row[] = [
    { what: 'where', label: t('buy.where'), value: placesText(of, names) },
    { what: 'days', label: t('buy.days'), value: t('buy.day-count', { count: of.days }) },
    {
      what: 'sell-mode',
      label: t('buy.sell-mode'),
      value: valueWord('sell-modes', String(of.sellMode)) || String(of.sellMode),
    },
    {
      what: 'line-type',
      label: t('buy.line-type'),
      value: valueWord('line-types', of.lineType) || of.lineType,
    },
    { what: 'business', label: t('buy.business'), value: names.of('purpose', of.businessId) },
    {
      what: 'bandwidth',
      label: t('buy.bandwidth'),
      value: bandwidth && (unlimited(bandwidth) || `${bandwidth} M/s`),
    },
    { what: 'conn-limit', label: t('buy.conn-limit'), value: String(of.connLimit) },
    { what: 'proxy-type', label: t('buy.proxy-type'), value: valueWord('proxy-types', protocol) || protocol },
    { what: 'udp', label: t('buy.udp'), value: udpWord(of.isUdp) },
  ]
  return rows.filter((row) => row.value)
}
