/** The lines pasted for a bulk, and its action. */
import type { Act } from './acts'

export class Pasted {
  act = $state<Act>('recharge')
  text = $state('')

  /** Chooses the action. Lines with passwords do not become lines of another. */
  choose(act: Act): void {
    if (this.act === 'password' && act !== 'password') this.text = ''
    this.act = act
  }

  /** Keeps lines for the next form. Lines with passwords go with their form, and an action without lines is no draft. */
  leave(): void {
    if (this.act === 'password') this.text = ''
    if (!this.text.trim()) this.act = 'recharge'
  }
}
