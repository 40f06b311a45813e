/** A buyer as typed: a free name, or a customer of the list. */
import type { BuyerView } from '../../bindings/BuyerView'
import type { People } from '../../lib/goods/people.svelte'
import { type Language, language } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { Work } from '../../lib/resource.svelte'

export class BuyerForm {
  name = $state('')
  contact = $state('')
  language = $state<string>(language() satisfies Language)
  note = $state('')
  /** The customer; null: a free name. */
  customer = $state<string | null>(null)
  private readonly saving = new Work()
  readonly error = $derived(this.saving.error)
  readonly busy = $derived(this.saving.busy)

  /** `buyer`: the one to change; null: a new one. */
  constructor(
    private readonly call: Call,
    private readonly people: People,
    readonly buyer: BuyerView | null,
  ) {
    if (!buyer) return
    this.name = buyer.name
    this.contact = buyer.contact
    this.language = buyer.language
    this.note = buyer.note
    this.customer = buyer.customer
  }

  /** Makes the buyer a customer of the list, who is called as there. */
  choose(value: string): void {
    const who = this.people.who(value)
    this.customer = who?.what === 'customer' ? who.id : null
    if (who?.what === 'customer') this.name = who.name
  }

  /** Saves it. Returns the buyer's id; null: it was not saved. */
  async save(): Promise<number | null> {
    const { name, contact, language, note, customer } = this
    const id = this.buyer?.id ?? null
    let saved: number | null = null
    await this.saving.once(async () => {
      saved = await this.call('save_buyer', { id, name, contact, language, note, customer })
      await this.people.changed()
    })
    return saved
  }
}
