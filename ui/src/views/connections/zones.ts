/** Time zones for the vendor's times, in minutes east of UTC: whole hours, and other offsets in use. */
const BETWEEN = [-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765]
const HOURS = Array.from({ length: 27 }, (_, at) => (at - 12) * 60)

export const ZONES = [...HOURS, ...BETWEEN].sort((one, other) => one - other)

/** Formats a zone as `UTC+08:00`. */
export function zoneName(minutes: number): string {
  const size = Math.abs(minutes)
  const two = (count: number) => String(count).padStart(2, '0')
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
