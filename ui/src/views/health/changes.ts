/** A change of a learned value in words. */
import type { Changed } from '../../bindings/Changed'
import { t } from '../../lib/i18n.svelte'
import { zoneName } from '../connections/zones'
import { polarityWords } from './lines'

export function changeWords(changed: Changed): string {
  switch (changed.what) {
    case 'capability': {
      const what = t(`health.capability-${changed.capability}`)
      const [from, to] = [t(`health.finding-${changed.from}`), t(`health.finding-${changed.to}`)]
      return t('health.change', { what, from, to })
    }
    case 'page-size':
      return t('health.change', {
        what: t('health.page-size'),
        from: String(changed.from),
        to: String(changed.to),
      })
    case 'zone':
      return t('health.change', {
        what: t('health.zone'),
        from: zoneName(changed.from),
        to: zoneName(changed.to),
      })
    case 'gb-factor': {
      const mb = (factor: number) => t('connection.mb', { mb: String(factor) })
      return t('health.change', { what: t('health.gb'), from: mb(changed.from), to: mb(changed.to) })
    }
    case 'word':
      return t('health.change', { what: t('health.word'), from: changed.from, to: changed.to })
    case 'polarity':
      return t('health.change', {
        what: t('health.polarity'),
        from: polarityWords(changed.from),
        to: polarityWords(changed.to),
      })
  }
}
