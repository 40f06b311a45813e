/** The sentences that belong to an error: what happened and what is safe, then what to do. */
import type { CommandError } from '../bindings/CommandError'
import { has, t } from './i18n.svelte'

/** The vendor's codes that have sentences of their own come first, then the class of the error. */
export function sentences(error: CommandError): { what: string; next: string } {
  const code = error.details.vendorCode
  const field = error.field && `invalid.${error.field[0]}-${error.field[1]}`
  if (field && has(field)) return { what: t(field, { near: error.details.near ?? '' }), next: '' }
  const key = [code && `errors.${error.code}-${code}`, code && `errors.vendor-${code}`].find(
    (k) => k && has(`${k}.what`),
  )
  const found = key ?? `errors.${error.code}`
  return { what: t(`${found}.what`), next: has(`${found}.next`) ? t(`${found}.next`) : '' }
}

/** The sentence beside a field, when the error is about that field. */
export function fieldError(error: CommandError | null, field: string): string {
  if (error?.code !== 'invalid' || error.field?.[0] !== field) return ''
  return t(`invalid.${field}-${error.field[1]}`, { near: error.details.near ?? '' })
}
