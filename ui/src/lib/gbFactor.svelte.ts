/** MB of a gigabyte, as the open connection's vendor counts. Reading it makes a component follow changes. */
const current = $state({ mb: 1024 })

export function gbFactor(): bigint {
  return BigInt(current.mb)
}

export function useGbFactor(mb: number): void {
  current.mb = mb
}
