/** Assigning selected IPs: for whom, and a note on each. */

import { decimal } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import { notices } from '../../lib/notices.svelte'
import { Work } from '../../lib/resource.svelte'
import type { People } from './people.svelte'

/** The choice that the IPs are for nobody any more. */
export const NOBODY = 'nobody'

export class Assign {
  /** The value of the field that asks for whom the IPs are; empty: that stays as it is. */
  chosen = $state('')
  note = $state('')
  /** Whether the note was typed in: an untouched note stays as it is. */
  noted = $state(false)
  readonly saving = new Work()
  readonly ready = $derived(this.chosen !== '' || this.noted)

  constructor(
    private readonly people: People,
    private readonly keys: string[],
  ) {}

  write(note: string): void {
    this.note = note
    this.noted = true
  }

  /** Records it. Returns whether that succeeded. */
  async save(): Promise<boolean> {
    const who = this.chosen === NOBODY ? ({ what: 'nobody' } as const) : this.people.who(this.chosen)
    const note = this.noted ? this.note.trim() : null
    const count = this.keys.length
    const saved = await this.saving.once(() => this.people.assign([{ keys: this.keys, who, note }]))
    if (saved) notices.notify(t('ips.assigned', { count, number: decimal(String(count)) }))
    return saved
  }
}
