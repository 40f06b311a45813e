/** The address that IPs are tested with: none until the user agrees to one. */
import { fieldError } from './errors'
import { Work } from './resource.svelte'
import { session } from './session.svelte'

export class ProxyTestAddress {
  typed = $state(session.boot?.settings.proxyTest ?? '')
  readonly saving = new Work()
  readonly saved = $derived(session.boot?.settings.proxyTest ?? null)
  readonly wrong = $derived(fieldError(this.saving.error, 'proxy-test-address'))
  readonly isChanged = $derived(this.typed.trim() !== (this.saved ?? ''))

  /** Forgets what was wrong: something else is typed now. */
  type(text: string): void {
    this.typed = text
    this.saving.error = null
  }

  /** Turns tests off. Returns whether they are. */
  turnOff(): Promise<boolean> {
    this.type('')
    return this.save()
  }

  /** Saves the address that was typed; none turns tests off. Returns whether it is saved. */
  async save(): Promise<boolean> {
    const settings = session.boot?.settings
    if (!settings) return false
    const done = await this.saving.once(() =>
      session.saveSettings({ ...settings, proxyTest: this.typed.trim() || null }),
    )
    if (done) this.typed = this.saved ?? ''
    return done
  }
}
