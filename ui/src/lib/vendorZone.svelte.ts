/** The zone of the open connection's times, in minutes east of UTC. Components that read it follow changes. */
const current = $state({ minutes: 480 })

export function vendorZone(): number {
  return current.minutes
}

export function useVendorZone(minutes: number): void {
  current.minutes = minutes
}
