/** Facts that the vendor sends in its own shapes: known names are translated, the rest is shown as received. */
import type { Fact } from '../bindings/Fact'
import type { FactWord } from '../bindings/FactWord'
import type { Part } from '../bindings/Part'
import { decimal, named } from './format'
import { has, t } from './i18n.svelte'

const MONEY: FactWord[] = ['unit-price', 'amount', 'original', 'payable', 'discount', 'refund']

/** Returns the name of a fact, or the vendor's own if it is not known. */
export function factName(of: { word: FactWord | null; key: string }): string {
  return of.word ? t(`facts.${of.word}`) : of.key
}

/** Returns the value of a fact; money and known words in the user's language. */
export function factValue({ word, value }: Fact): string {
  if (!word) return value
  if (MONEY.includes(word) && /^-?\d+(\.\d+)?$/.test(value)) return decimal(value, 2)
  const known = `fact-values.${word}.${value}`
  return /^[\w-]+$/.test(value) && has(known) ? t(known) : value
}

/** Returns name and value, or the value alone if it has no name. */
export function factText(fact: Fact): string {
  const name = factName(fact)
  return name ? t('facts.line', { name, value: factValue(fact) }) : factValue(fact)
}

/** Returns the name of a part: its own, or that of its list. */
export function partName(part: Part): string {
  const own = named(part)
  const key = factName(part)
  return own && key ? t('facts.line', { name: key, value: own }) : own || key
}

/** Whether a part has no facts beside its inner parts. */
export function isHeading(part: Part): boolean {
  return part.quantity === null && part.amount === null && part.facts.length === 0
}
