/** What a renewal did, IP by IP. */
import type { OperationView } from '../bindings/OperationView'

/** `renewed`: null while it is not known, or if the vendor counts failures without naming them. */
export type RenewedRow = {
  id: string
  host: string
  expires: string
  renewed: boolean | null
  reason: string
}

/** The IPs of a renewal with their results, and how many more failed than are named. */
export function resultsOf({ renewal, order, isDone }: OperationView): {
  rows: RenewedRow[]
  unnamed: number
} {
  const errors = order?.errors ?? []
  const rows = (renewal?.ips ?? []).map(({ id, host, expires }) => {
    const error = errors.find((one) => one.resourceId === id || (one.proxyIp !== '' && one.proxyIp === host))
    return { id, host, expires, error }
  })
  const named = rows.filter((row) => row.error).length
  const unnamed = Math.max(0, (order?.failCount ?? errors.length) - named)
  const isKnown = isDone && order !== null && unnamed === 0
  return {
    rows: rows.map(({ error, ...row }) => ({
      ...row,
      renewed: error ? false : isKnown ? true : null,
      reason: error?.message ?? '',
    })),
    unnamed,
  }
}
