/** Actions with their object, as they are typed: "add 5 to bob2", "buy 5 germany", "给 bob2 充 5". Pure functions. */
import type { Direction } from '../../bindings/Direction'
import type { Access } from '../../lib/route.svelte'
import { plain } from '../../lib/typed'

export type Phrase =
  /** A move of traffic; `gb` as typed, empty: not said. */
  | { what: 'move'; direction: Direction; name: string; gb: string }
  /** A new password, or a status. */
  | { what: 'access'; change: Access; name: string }
  /** A purchase; `quantity` or `place` may be empty. */
  | { what: 'buy'; quantity: string; place: string }
  /** The IPs of an order that are handed over; `order` as typed, empty: not said. */
  | { what: 'hand-over'; order: string }

/** A number, with or without a unit. */
const AMOUNT = String.raw`(?<gb>\d[\d.,]*\s*(?:gb|mb|g|m)?)(?![a-z\d@.])`
/** A number that can be nothing but traffic. */
const TRAFFIC = String.raw`(?<gb>\d[\d.,]*\s*(?:gb|mb|g|m))`
const NAME = String.raw`(?<name>\S.*?)`
const COUNT = String.raw`(?<quantity>\d{1,4})`
const PLACE = String.raw`(?<place>\S.*?)`
const ORDER = String.raw`(?<order>\S.*?)`
const ADD = `(?:add|give|top[ -]?up|recharge)`
const DEDUCT = `(?:deduct|take|remove|subtract)`
const BUY = `(?:buy|order|purchase)`
const ADD_ZH = '(?:充值|充|加)'
const DEDUCT_ZH = '(?:扣减|扣除|扣)'
const BUY_ZH = '(?:购买|买)'
const IPS = `(?:个|条|x|ips?|proxies|proxy)`

/** The forms, the more certain ones first. */
const FORMS: [Direction | Access | 'buy' | 'hand-over', string][] = [
  ['hand-over', `hand ?over(?: (?:the )?(?:ips? of )?(?:order|ips?))?(?: ${ORDER})?`],
  ['hand-over', String.raw`(?:发给买家|发货)[:：]?\s*(?:订单)?\s*(?:${ORDER})?(?:\s*的\s*ip)?`],
  ['recharge', `${ADD} ${AMOUNT} (?:to|for) ${NAME}`],
  ['recharge', `${ADD} (?:to )?${NAME} (?:with |by )?${AMOUNT}`],
  ['recharge', `${ADD} ${TRAFFIC} ${NAME}`],
  ['recharge', `(?:top[ -]?up|recharge|add to) ${NAME}`],
  ['deduction', `${DEDUCT} ${AMOUNT} (?:back )?from ${NAME}`],
  ['deduction', `${DEDUCT} (?:from )?${NAME} ${AMOUNT}`],
  ['deduction', `deduct (?:from )?${NAME}`],
  ['recharge', String.raw`给\s*${NAME}\s*${ADD_ZH}\s*(?:${AMOUNT})?`],
  ['recharge', String.raw`${ADD_ZH}\s*${AMOUNT}\s*给\s*${NAME}`],
  ['recharge', String.raw`${ADD_ZH}\s*${NAME} ${AMOUNT}`],
  ['recharge', String.raw`充值\s*${NAME}`],
  ['recharge', String.raw`${NAME}\s*${ADD_ZH}\s*${AMOUNT}`],
  ['deduction', String.raw`从\s*${NAME}\s*${DEDUCT_ZH}\s*(?:${AMOUNT})?`],
  ['deduction', String.raw`${DEDUCT_ZH}\s*${NAME} ${AMOUNT}`],
  ['deduction', String.raw`${NAME}\s*${DEDUCT_ZH}\s*${AMOUNT}`],
  ['deduction', String.raw`扣减\s*${NAME}`],
  ['buy', `${BUY} ${COUNT}(?: ?${IPS})?(?: (?:in|from))?(?: ${PLACE})?`],
  ['buy', `${BUY} (?:in )?${PLACE} ${COUNT}(?: ?${IPS})?`],
  ['buy', `${BUY} (?:in )?${PLACE}`],
  ['buy', String.raw`${BUY_ZH}\s*${COUNT}\s*${IPS}?\s*(?:${PLACE})?\s*(?:的?\s*(?:ip|代理))?`],
  ['buy', String.raw`${BUY_ZH}\s*${PLACE}\s*${COUNT}\s*${IPS}?`],
  ['buy', String.raw`${BUY_ZH}\s*${PLACE}`],
  ['password', `(?:(?:re)?set |change |new )?(?:the )?password (?:(?:of|for) )?${NAME}`],
  ['password', `(?:(?:re)?set|change) ${NAME}(?:'s|’s)? password`],
  ['password', String.raw`(?:重置|修改|设置|改)\s*${NAME}\s*的?\s*密码`],
  ['password', String.raw`给?\s*${NAME}\s*(?:重置|修改|设置|改)\s*密码`],
  ['enable', `enable ${NAME}`],
  ['enable', String.raw`启用\s*${NAME}`],
  ['disable', `disable ${NAME}`],
  ['disable', String.raw`停用\s*${NAME}`],
  // A name and traffic, as in a message.
  ['recharge', `${NAME} ${TRAFFIC}`],
]
const PATTERNS = FORMS.map(([what, form]) => [what, new RegExp(`^${form}$`, 'iu')] as const)
const VERB = new RegExp(`^(?:${ADD}|${DEDUCT}|${BUY})$`, 'iu')

/** Returns what a text says; null: it is no phrase. */
export function readPhrase(text: string): Phrase | null {
  const said = plain(text).trim().replace(/\s+/g, ' ')
  for (const [what, pattern] of PATTERNS) {
    const found = pattern.exec(said)
    if (!found) continue
    const { name = '', gb = '', quantity = '', place = '', order = '' } = found.groups ?? {}
    if (what === 'hand-over') return { what, order }
    if (!name && !quantity && !place) continue
    if (what === 'buy') return { what, quantity, place }
    if (what === 'password' || what === 'enable' || what === 'disable')
      return { what: 'access', change: what, name }
    // "add 5" names nobody yet.
    if (!VERB.test(name)) return { what: 'move', direction: what, name, gb: gb.replace(/\s/g, '') }
  }
  return null
}
