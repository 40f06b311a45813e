/** What a renewal did, IP by IP. */
import type { OperationView } from '../bindings/OperationView'

/** `renewed`: null while it is not known, or if the vendor counts failures without naming them. */
export type RenewedRow = {
  id: string
  host: string
  /** null: not reported. */
  port: number | null
  expires: string
  renewed: boolean | null
  reason: string
}

/** The IPs of a renewal with their results, those that failed first, and how many more failed than are named. */
export function resultsOf({ renewal, order, isDone }: OperationView): {
  rows: RenewedRow[]
  unnamed: number
} {
  const errors = order?.errors ?? []
  const ips = renewal?.ips ?? []
  const isAlone = (host: string) => ips.filter((ip) => ip.host === host).length === 1
  const rows = ips.map(({ id, host, port, expires }) => {
    // An address names an IP only where the vendor gives no id and no other IP has it.
    const isOf = (one: (typeof errors)[number]) =>
      one.resourceId === '' ? one.proxyIp === host && isAlone(host) : one.resourceId === id
    return { id, host, port, expires, error: errors.find(isOf) }
  })
  const failures = rows.filter((row) => row.error)
  const named = failures.length
  // Whichever says the most: a count of failures, the failures themselves, or a count of renewals that falls short.
  const missing = ips.length - (order?.successCount ?? ips.length)
  const failed = Math.max(order?.failCount ?? 0, errors.length, missing)
  const unnamed = Math.max(0, failed - named)
  const isKnown = isDone && order !== null && unnamed === 0
  return {
    rows: [...failures, ...rows.filter((row) => !row.error)].map(({ error, ...row }) => ({
      ...row,
      renewed: error ? false : isKnown ? true : null,
      reason: error?.message ?? '',
    })),
    unnamed,
  }
}
