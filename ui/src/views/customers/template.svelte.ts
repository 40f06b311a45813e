/** The ready message, one text for each language that customers speak. */
import type { Call } from '../../lib/ipc'
import { Work } from '../../lib/resource.svelte'

export class Template {
  /** Texts by language, as far as they were read. What was typed in one stays while another is shown. */
  texts = $state<Record<string, string>>({})
  private readonly reading = new Work()
  private readonly saving = new Work()
  readonly error = $derived(this.saving.error ?? this.reading.error)

  constructor(private readonly call: Call) {}

  async read(language: string): Promise<void> {
    if (language in this.texts) return
    await this.reading.attempt(async () => {
      const text = await this.call('message_template', language)
      // Typed text is never written over by an answer that comes late.
      if (!(language in this.texts)) this.texts[language] = text
    })
  }

  /** Saves every text that was read. Returns whether all are saved. */
  async save(): Promise<boolean> {
    return this.saving.once(async () => {
      for (const [language, body] of Object.entries(this.texts))
        await this.call('save_template', { language, body })
    })
  }
}
