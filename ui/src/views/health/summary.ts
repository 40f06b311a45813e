/** One sentence about a connection. */
import type { HealthView } from '../../bindings/HealthView'
import { t } from '../../lib/i18n.svelte'

/** Returns what matters most: no answer, a refused token, something to look at, or that all is well. */
export function summary(view: HealthView): string {
  if (view.mood === 'unknown' || !view.reach) return t('health.unknown')
  if (!view.reach.reached) return t('health.no-answer')
  const { staticToken, agentToken } = view
  const refused = [
    view.hasStaticToken && staticToken?.accepted === false,
    view.hasAgentToken && agentToken?.accepted === false,
  ]
  if (refused[0] && refused[1]) return t('health.both-refused')
  if (refused[0]) return t('health.static-refused')
  if (refused[1]) return t('health.agent-refused')
  return t(view.mood === 'look' ? 'health.look' : 'health.good')
}

/** Returns when the vendor was last asked; null: never. */
export function lastSign(view: HealthView): number | null {
  return view.reach?.at ?? null
}
