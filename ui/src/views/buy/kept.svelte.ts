/** The basket outlives its view. */
import { call } from '../../lib/ipc'
import { Buy } from './buy.svelte'

let kept: { connection: string; buy: Buy; end: () => void } | null = null

/** The basket of a connection: it is still there after a look at Orders. */
export function buyFor(connection: string): Buy {
  if (kept?.connection === connection) return kept.buy
  kept?.end()
  let buy: Buy | null = null
  // Under a root of its own: what a view owns is dead once the view is gone.
  const end = $effect.root(() => {
    buy = new Buy(call)
  })
  kept = { connection, buy: buy as unknown as Buy, end }
  return kept.buy
}
