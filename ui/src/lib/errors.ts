/** The sentences for an error: what happened and what is safe, then what to do. */
import type { CommandError } from '../bindings/CommandError'
import type { WrongField } from '../bindings/WrongField'
import { has, t } from './i18n.svelte'

type Invalid = Extract<CommandError, { code: 'invalid' }>
type Field = WrongField['field']
/** Each field with each of its own reasons. */
type WrongFieldKey<One = WrongField> = One extends WrongField
  ? `invalid.${One['field']}-${One['why']}`
  : never

/** A vendor's code that has its own sentence comes first, then the class of the error. */
export function sentences(error: CommandError): { what: string; next: string } {
  if (error.code === 'invalid') return { what: wrongWords(error), next: '' }
  const own = `errors.vendor-${error.details.vendorCode}`
  const [what, next] = [`${own}.what`, `${own}.next`]
  if (has(what) && has(next)) return { what: t(what), next: t(next) }
  const key = keyOf(error)
  const said = error.details.vendorMessage || error.details.vendorCode || ''
  const words = key === 'errors.refused' && !said ? 'errors.refused-silently' : key
  return { what: t(`${words}.what`, { said }), next: t(`${words}.next`) }
}

function keyOf(error: Exclude<CommandError, Invalid>) {
  if (error.code === 'update') return `errors.update-${error.about}` as const
  if (error.code !== 'keychain' && error.code !== 'tokens') return `errors.${error.code}` as const
  // A keychain that answers is no error.
  return `errors.${error.code}-${error.about === 'available' ? 'unusable' : error.about}` as const
}

/** Returns the sentence for a field; empty if the error is not about that field. */
export function fieldError(error: CommandError | null, field: Field): string {
  return error?.code === 'invalid' && error.about.field === field ? wrongWords(error) : ''
}

function wrongWords({ about, details }: Invalid): string {
  return t(`invalid.${about.field}-${about.why}` as WrongFieldKey, { near: details.near ?? '' })
}

/** Returns the code that a person can report: the vendor's if it gave one, otherwise our closest word. */
export function codeOf(error: CommandError): string {
  if (error.details.vendorCode !== null) return error.details.vendorCode
  return error.code === 'keychain' || error.code === 'tokens' || error.code === 'update'
    ? error.about
    : error.code
}

/** Whether an error says that the same was refused before. Trying again could do it twice. */
export function concernsRefused(error: CommandError | null): boolean {
  return error?.code === 'still-watched' || error?.code === 'done-after-all'
}
