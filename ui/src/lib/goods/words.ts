/** Words for an IP: its place, its state, how it was sent. */
import type { CountryCount } from '../../bindings/CountryCount'
import type { EndState } from '../../bindings/EndState'
import type { GoodsBuyer } from '../../bindings/GoodsBuyer'
import type { GoodsView } from '../../bindings/GoodsView'
import type { ProxyOutcome } from '../../bindings/ProxyOutcome'
import type { Tone } from '../../components/StateMark.svelte'
import { addressOf, countryOfCode, decimal, list, moment, named, shortMoment } from '../format'
import { language, t } from '../i18n.svelte'

const TONES: Record<EndState, Tone> = {
  active: 'done',
  soon: 'waiting',
  expired: 'refused',
  unlisted: 'neutral',
  unknown: 'neutral',
}

/** How long an IP lasts. */
export function stateOf({ state }: Pick<GoodsView, 'state'>): { label: string; tone: Tone } {
  return { label: t(`ips.states.${state}`), tone: TONES[state] }
}

/** Why an IP is not listed any more; empty: it is listed, or has run out. */
export function unlistedWhy({ state, elsewhere }: Pick<GoodsView, 'state' | 'elsewhere'>): string {
  return state === 'unlisted' ? t(elsewhere ? 'goods.gone-why' : 'goods.unlisted-why') : ''
}

/** How an IP is known that no order here delivered. */
export function elsewhereHint({ noLongerListed }: Pick<GoodsView, 'noLongerListed'>): string {
  return t(noLongerListed ? 'ips.elsewhere-gone' : 'ips.elsewhere-hint')
}

/** City and country, as in "Saga, Japan" or "日本 · 佐贺"; the code of the country where its name is not known. */
export function placeOf(view: GoodsView): string {
  const { countryZh, countryEn, countryCode } = view.place
  const country = named({ nameZh: countryZh, nameEn: countryEn }) || countryCode
  const city = cityOf(view)
  const all = language() === 'en' ? [city, country] : [country, city]
  return all.filter(Boolean).join(language() === 'en' ? ', ' : ' · ')
}

/** The country in the user's language with its code, or the code alone. */
export function countryOf({ place }: GoodsView): string {
  return withCode(named({ nameZh: place.countryZh, nameEn: place.countryEn }), place.countryCode)
}

export function cityOf({ place }: GoodsView): string {
  return named({ nameZh: place.cityZh, nameEn: place.cityEn })
}

/** The name of a country in the filter. */
export function countryName(one: CountryCount): string {
  return named(one) || one.country || t('ips.no-country')
}

function withCode(name: string, code: string): string {
  return name && code && name !== code ? `${name} (${code})` : name || code
}

/** The time at which an IP runs out, in the time of this computer; what cannot be read stays as it came. */
export function expiryOf({ expires, ends }: GoodsView, exact = false): string {
  return ends === null ? expires : (exact ? moment : shortMoment)(ends)
}

/** The name of a buyer; of a deleted one, who it was. */
export function buyerName(buyer: GoodsBuyer | null): string {
  if (!buyer) return ''
  return buyer.deleted ? t('buyers.was', { name: buyer.name }) : buyer.name
}

/** Whose IPs are, each buyer with the number, as in "2 for ali and 1 not assigned". */
export function whoseWords(whose: { buyer: GoodsBuyer | null; count: number }[]): string {
  return list(
    whose.map(({ buyer, count }) =>
      buyer ? t('ips.of-them', { count, name: buyerName(buyer) }) : t('ips.of-nobody', { count }),
    ),
  )
}

export const TEST_TONES = {
  works: 'done',
  'wrong-country': 'waiting',
  'timed-out': 'waiting',
  'wrong-credentials': 'refused',
  refused: 'refused',
  unreachable: 'refused',
  'something-else': 'refused',
} as const satisfies Record<ProxyOutcome['is'], Tone>

/** What a test has shown, in words. */
export function testWords(outcome: ProxyOutcome): string {
  switch (outcome.is) {
    case 'works': {
      const ms = decimal(String(outcome.ms))
      return outcome.country
        ? t('tests.works-in', { country: countryOfCode(outcome.country), ms })
        : t('tests.works', { ms })
    }
    case 'wrong-country':
      return t('tests.wrong-country', {
        country: countryOfCode(outcome.country),
        ordered: countryOfCode(outcome.ordered),
      })
    case 'something-else':
      return outcome.status === null
        ? t('tests.something-else')
        : t('tests.something-else-status', { status: outcome.status })
    default:
      return t(`tests.${outcome.is}`)
  }
}

/** The address in the name of an IP, `order host port`. */
export function addressInKey(key: string): string {
  const [host = '', port = ''] = key.split(' ').slice(-2)
  return addressOf({ host, port: Number(port) })
}
