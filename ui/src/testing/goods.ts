/** An IP of My IPs, for tests. */
import type { GoodsView } from '../bindings/GoodsView'
import { part } from './program'

/** When it runs out. */
export const END = Date.parse('2026-12-01T00:00:00Z')
export const goods = (of: Partial<GoodsView> = {}) =>
  part<GoodsView>({
    key: 'SO1 192.0.2.1 1080',
    orderNo: 'SO1',
    host: '192.0.2.1',
    port: 1080,
    protocol: 'socks5',
    place: { countryZh: '日本', countryEn: 'Japan', countryCode: 'JP', cityZh: '', cityEn: 'Osaka' },
    expires: '2026-12-01 08:00:00',
    ends: END,
    extended: false,
    noLongerListed: false,
    state: 'active',
    buyer: { id: 1, name: 'ali', deleted: false },
    note: 'x',
    sent: { at: END, how: 'copied' },
    ...of,
  })
