/** A text that is sent again and again, one per language of those who get it. */
import type { Call } from './ipc'
import { Work } from './resource.svelte'

export class Texts {
  /** Texts by language, if they were read. Typed text stays while another language is shown. */
  texts = $state<Record<string, string>>({})
  /** The language whose text could not be saved; null: none. */
  wrong = $state<string | null>(null)
  private readonly reading = new Work()
  private readonly saving = new Work()
  readonly error = $derived(this.saving.error ?? this.reading.error)

  constructor(
    private readonly call: Call,
    private readonly command: 'message_template' | 'delivery_template',
    private readonly saves: 'save_template' | 'save_delivery_template',
  ) {}

  async read(language: string): Promise<void> {
    if (language in this.texts) return
    await this.reading.attempt(async () => {
      const text = await this.call(this.command, language)
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
        await this.call(this.saves, { language, body })
      }
      this.wrong = null
    })
  }
}
