/** The sentences for an error: what happened and what is safe, then what to do. */
import type { CommandError } from '../bindings/CommandError'
import { first, has, t } from './i18n.svelte'

/** A vendor's code that has its own sentence comes first, then the class of the error. */
export function sentences(error: CommandError): { what: string; next: string } {
  const code = error.details.vendorCode
  const field = error.field && `invalid.${error.field[0]}-${error.field[1]}`
  if (field && has(field)) return { what: t(field, { near: error.details.near ?? '' }), next: '' }
  const own = [code && `errors.${error.code}-${code}`, code && `errors.vendor-${code}`].find(
    (key) => key && has(`${key}.what`),
  )
  const next = `${own ?? `errors.${error.code}`}.next`
  return {
    what: t(first([own && `${own}.what`], `errors.${error.code}.what`)),
    next: has(next) ? t(next) : '',
  }
}

/** Returns the sentence for a field; empty if the error is not about that field. */
export function fieldError(error: CommandError | null, field: string): string {
  if (error?.code !== 'invalid' || error.field?.[0] !== field) return ''
  return t(first([`invalid.${field}-${error.field[1]}`], 'errors.invalid.what'), {
    near: error.details.near ?? '',
  })
}
