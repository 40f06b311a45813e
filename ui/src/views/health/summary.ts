/** One sentence about a connection. */
import type { HealthView } from '../../bindings/HealthView'
import { t } from '../../lib/i18n.svelte'

/** Returns what matters most: no answer, a refused token, something to look at, or that all is well. */
export function summary(view: HealthView): string {
  if (view.mood === 'unknown' || !view.reach) return t('health.unknown')
  if (!view.reach.reached) return t('health.no-answer')
  const refused = refusedTokens(view)
  if (refused.length > 1) return t('health.both-refused')
  if (refused[0]) return t(`health.${refused[0]}-refused`)
  return t(view.mood === 'look' ? 'health.look' : 'health.good')
}

/** Returns the areas whose saved token the vendor refuses. */
export function refusedTokens(view: HealthView): ('static' | 'agent')[] {
  const refused: ('static' | 'agent')[] = []
  if (view.hasStaticToken && view.staticToken?.accepted === false) refused.push('static')
  if (view.hasAgentToken && view.agentToken?.accepted === false) refused.push('agent')
  return refused
}

/** Returns when the vendor was last asked; null: never. */
export function lastSign(view: HealthView): number | null {
  return view.reach?.at ?? null
}
