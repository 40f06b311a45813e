/** The rows of a purchase, with the names of its places as soon as they are read. */
import type { PurchaseConfig } from '../bindings/PurchaseConfig'
import { call } from './ipc'
import { kept } from './kept.svelte'
import { Names } from './names.svelte'
import { purchaseRows, type Row } from './purchase'
import { watch } from './watch.svelte'

/** Follows a purchase; to be called while a component is created. */
export function rowsOf(purchase: () => PurchaseConfig | null): { readonly rows: Row[] } {
  const names = kept.of(Names, call)
  watch(purchase, (one) => {
    if (one) void names.read([one])
  })
  const rows = $derived.by(() => {
    const one = purchase()
    return one ? purchaseRows(one, names) : []
  })
  return {
    get rows() {
      return rows
    },
  }
}
