/** The customers, orders and buyers that were opened last, for as long as the connection is open. */
import type { OperationView } from '../../bindings/OperationView'

/** What can be opened again. */
export type Recent = { what: 'customer' | 'order' | 'buyer'; id: string; name: string }

/** The most that are remembered, and shown. */
const MOST = 6

export class Recents {
  private opened = $state.raw<Recent[]>([])

  add(recent: Recent): void {
    this.opened = distinct([recent, ...this.opened])
  }

  /** The last opened ones, then those of the newest operations. */
  with(operations: OperationView[]): Recent[] {
    return distinct([...this.opened, ...operations.flatMap(of)])
  }
}

function of({ order, customerId, userName }: OperationView): Recent[] {
  if (order) return [{ what: 'order', id: order.orderNo, name: order.orderNo }]
  return customerId ? [{ what: 'customer', id: customerId, name: userName || customerId }] : []
}

function distinct(all: Recent[]): Recent[] {
  const same = (one: Recent) => (other: Recent) => one.what === other.what && one.id === other.id
  return all.filter((one, at) => all.findIndex(same(one)) === at).slice(0, MOST)
}
