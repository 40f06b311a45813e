/** Replacing a rotated token. Nothing else changes, and the token leaves the page with the form. */

import { t } from './i18n.svelte'
import type { Call } from './ipc'
import { notices } from './notices.svelte'
import { Work } from './resource.svelte'
import { session } from './session.svelte'

export type Area = 'static' | 'agent'

export class Token {
  typed = $state('')
  readonly saving = new Work()

  constructor(private readonly call: Call) {}

  async save(area: Area): Promise<void> {
    const token = this.typed
    await this.saving.once(async () => {
      await session.enter(await this.call('replace_token', { area, token }))
      this.close()
      notices.notify(t('token.replaced'))
    })
  }

  /** Empties and closes the form. */
  close(): void {
    this.typed = ''
    this.saving.error = null
    session.replacingToken = null
  }
}
