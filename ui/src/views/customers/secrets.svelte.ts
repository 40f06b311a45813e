/** A customer's secrets. They are in the page only while revealed, and are copied without being shown. */
import type { Revealed } from '../../bindings/Revealed'
import type { SecretWanted } from '../../bindings/SecretWanted'
import { sentences } from '../../lib/errors'
import { type Language, language, t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { notices } from '../../lib/notices.svelte'
import { Resource, Work } from '../../lib/resource.svelte'

/** The language of messages to customers; until it is chosen, the language of the window. */
export const message = $state<{ language: Language | null }>({ language: null })

export class Secrets {
  /** `null`: concealed. */
  readonly revealed = new Resource<Revealed | null>(null)

  constructor(
    private readonly call: Call,
    private readonly customer: () => string,
  ) {}

  /** Reveals or conceals them. */
  async turn(): Promise<void> {
    if (this.revealed.value) this.conceal()
    else await this.revealed.ask(() => this.call('reveal_customer', this.customer()))
  }

  /** Removes them from the page and drops a pending answer. */
  conceal(): void {
    this.revealed.drop()
    this.revealed.value = null
  }

  /** Copies one to the clipboard and confirms it. */
  async copy(wanted: SecretWanted): Promise<void> {
    const copying = new Work()
    await copying.attempt(() =>
      this.call('copy_secret', {
        customerId: this.customer(),
        wanted,
        language: message.language ?? language(),
      }),
    )
    notices.notify(copying.error ? sentences(copying.error).what : t('secrets.copied'))
  }
}
