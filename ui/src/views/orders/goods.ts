/** A delivered proxy in words. */
import type { Delivered } from '../../bindings/Delivered'
import { named } from '../../lib/format'

export function addressOf({ host, port }: Delivered): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Country and city in the reader's language; the code where there is no name, beside it where there is. */
export function placeOf({ about }: Delivered): { country: string; city: string } {
  const name = named({ nameZh: about.countryZh, nameEn: about.countryEn })
  const code = about.countryCode
  const country = name && code && name !== code ? `${name} (${code})` : name || code
  return { country, city: named({ nameZh: about.cityZh, nameEn: about.cityEn }) }
}
