/** The order of the vendor's records. The vendor lists the newest first; any other order needs all of them. */
import type { TrafficRecord } from '../../bindings/TrafficRecord'
import { byName } from '../../lib/format'
import { recordCell } from './sheet'

export type Order = { by: string; down: boolean }

export const NEWEST_FIRST: Order = { by: 'when', down: true }

export const isNewestFirst = ({ by, down }: Order) => by === NEWEST_FIRST.by && down

/** The order after a press on the head of a column: times and amounts begin with the highest, texts with A. */
export function pressed({ by, down }: Order, column: string): Order {
  return { by: column, down: by === column ? !down : column === 'when' || column === 'amount' }
}

/** The records, which come newest first, in an order; equal ones stay newest first. */
export function ordered(rows: TrafficRecord[], { by, down }: Order): TrafficRecord[] {
  const way = down ? -1 : 1
  if (by === 'when') return down ? rows : rows.toReversed()
  if (by === 'amount')
    return rows.toSorted((one, other) => way * (Number(one.flowCount) - Number(other.flowCount)))
  return rows.toSorted((one, other) => way * byName(recordCell(by, one), recordCell(by, other)))
}
