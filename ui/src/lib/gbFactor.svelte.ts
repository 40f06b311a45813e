/** MB per GB, as the open connection's vendor counts. Components that read it follow changes. */
const current = $state({ mb: 1024 })

export function gbFactor(): bigint {
  return BigInt(current.mb)
}

export function useGbFactor(mb: number): void {
  current.mb = mb
}
