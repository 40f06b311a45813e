/** Finding and sorting orders in the book. Pure functions. */
import type { BookedOrder } from '../../bindings/BookedOrder'
import { plain } from '../../lib/typed'

export const SHOWN = ['all', 'progress', 'completed', 'other'] as const
/** Which orders are shown, by how far they are. */
export type Shown = (typeof SHOWN)[number]
export type SortKey = 'since' | 'number' | 'delivered' | 'paid'
export type Sorted = { by: SortKey; down: boolean }

/** From "States and transitions": an order is being paid, paid, or completed. */
const PROGRESS: Record<string, Shown> = { '2': 'progress', '3': 'progress', '20': 'completed' }

/** Whether an order is among those shown. */
export function isShown(order: BookedOrder, shown: Shown): boolean {
  return shown === 'all' || (PROGRESS[order.status ?? ''] ?? 'other') === shown
}

/** Whether the number, the places or the note of an order hold a text, in any spelling of letters and digits. */
export function isFound(order: BookedOrder, places: string, text: string): boolean {
  const fold = (one: string) => plain(one).toLocaleLowerCase()
  return [order.orderNo, places, order.note].some((one) => fold(one).includes(fold(text).trim()))
}

/** Sorts orders. Those that lack the value are last either way; equal ones have the newest first. */
export function sortOrders(orders: BookedOrder[], { by, down }: Sorted): BookedOrder[] {
  const way = down ? -1 : 1
  const newest = (one: BookedOrder, other: BookedOrder) => other.since - one.since
  if (by === 'since') return orders.toSorted((one, other) => -way * newest(one, other))
  if (by === 'number')
    return orders.toSorted(
      (one, other) => way * one.orderNo.localeCompare(other.orderNo, 'en', { numeric: true }),
    )
  const value = ({ amount, delivered }: BookedOrder) => (by === 'paid' ? amount : delivered)
  return orders.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null) || newest(one, other)
    return way * (Number(a) - Number(b)) || newest(one, other)
  })
}
