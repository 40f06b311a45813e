/** The thresholds of notifications, as typed. */
import { t } from '../../lib/i18n.svelte'
import { Work } from '../../lib/resource.svelte'
import { session } from '../../lib/session.svelte'
import { plain } from '../../lib/typed'
import { gbTyped, isDays, isPlainAmount } from './amounts'

export class NotificationsForm {
  private readonly saved = $derived(session.boot?.settings.notifications)
  /** GB left on both accounts together, below which to notify; empty: never. */
  low = $state(this.saved?.lowTraffic ?? '')
  /** Days before an IP expires. */
  ends = $state(String(this.saved?.ends ?? ''))
  readonly saving = new Work()
  private readonly days = $derived(plain(this.ends).trim())
  private readonly gb = $derived(gbTyped(this.low))
  readonly wrongLow = $derived(this.gb && !isPlainAmount(this.gb) ? t('invalid.limit') : '')
  readonly wrongEnds = $derived(this.days && !isDays(this.days) ? t('settings.notify-ends-wrong') : '')
  readonly isWrong = $derived(this.wrongLow !== '' || this.wrongEnds !== '')
  readonly isChanged = $derived(
    this.gb !== (this.saved?.lowTraffic ?? '') || this.days !== String(this.saved?.ends ?? ''),
  )

  /** Switches whether a delivery is notified of. */
  async switchDelivered(delivered: boolean): Promise<void> {
    if (this.saved) await session.change({ notifications: { ...this.saved, delivered } })
  }

  /** Returns whether they are saved. */
  async save(): Promise<boolean> {
    const settings = session.boot?.settings
    if (!settings || this.isWrong) return false
    const ends = this.days ? Number(this.days) : null
    const notifications = { ...settings.notifications, lowTraffic: this.gb || null, ends }
    return this.saving.once(() => session.saveSettings({ ...settings, notifications }))
  }
}
