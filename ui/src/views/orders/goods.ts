/** Words for a delivered proxy. */
import type { Delivered } from '../../bindings/Delivered'
import { named } from '../../lib/format'

/** Returns country and city in the user's language, with the country code, or the code alone if there is no name. */
export function placeOf({ about }: Delivered): { country: string; city: string } {
  const name = named({ nameZh: about.countryZh, nameEn: about.countryEn })
  const code = about.countryCode
  const country = name && code && name !== code ? `${name} (${code})` : name || code
  return { country, city: named({ nameZh: about.cityZh, nameEn: about.cityEn }) }
}
