/** The message that hands IPs over, with one text per language of buyers. */
import type { Call } from '../../lib/ipc'
import { Work } from '../../lib/resource.svelte'

export class MessageTemplate {
  /** Texts by language, if they were read. Typed text stays while another language is shown. */
  texts = $state<Record<string, string>>({})
  /** The language whose text could not be saved; null: none. */
  wrong = $state<string | null>(null)
  private readonly reading = new Work()
  private readonly saving = new Work()
  readonly error = $derived(this.saving.error ?? this.reading.error)

  constructor(private readonly call: Call) {}

  async read(language: string): Promise<void> {
    if (language in this.texts) return
    await this.reading.attempt(async () => {
      const text = await this.call('delivery_template', language)
      // A late answer never overwrites typed text.
      if (!(language in this.texts)) this.texts[language] = text
    })
  }

  /** Saves every text that was read. Returns whether all were saved. */
  async save(): Promise<boolean> {
    this.wrong = null
    return this.saving.once(async () => {
      for (const [language, body] of Object.entries(this.texts)) {
        this.wrong = language
        await this.call('save_delivery_template', { language, body })
      }
      this.wrong = null
    })
  }
}
