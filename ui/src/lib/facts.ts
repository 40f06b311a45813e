/** What the vendor tells in shapes of its own: known names in words, all else as it came. */
import type { Fact } from '../bindings/Fact'
import type { FactWord } from '../bindings/FactWord'
import type { Part } from '../bindings/Part'
import { decimal, named } from './format'
import { has, t } from './i18n.svelte'

const MONEY: FactWord[] = ['unit-price', 'amount', 'original', 'payable', 'discount', 'refund']

/** The name of a value; the vendor's own where nobody knows it. */
export function factName(of: { word: FactWord | null; key: string }): string {
  return of.word ? t(`facts.${of.word}`) : of.key
}

/** The value of a fact; money and known words as the language writes them. */
export function factValue({ word, value }: Fact): string {
  if (!word) return value
  if (MONEY.includes(word) && /^-?\d+(\.\d+)?$/.test(value)) return decimal(value, 2)
  const known = `fact-values.${word}.${value}`
  return /^[\w-]+$/.test(value) && has(known) ? t(known) : value
}

/** Name and value, or the value alone where it came without a name. */
export function factText(fact: Fact): string {
  const name = factName(fact)
  return name ? t('facts.line', { name, value: factValue(fact) }) : factValue(fact)
}

/** How a part is called: its own name, or that of the list it is. */
export function partName(part: Part): string {
  const own = named(part)
  const key = factName(part)
  return own && key ? t('facts.line', { name: key, value: own }) : own || key
}

/** Nothing is told beside what it is made of. */
export function isHeading(part: Part): boolean {
  return part.quantity === null && part.amount === null && part.facts.length === 0
}
