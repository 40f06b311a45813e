/** Assigning selected IPs: for whom, and a note on each. */
import type { GoodsWhose } from '../../bindings/GoodsWhose'
import type { People } from '../../lib/goods/people.svelte'
import { buyerName, whoseWords } from '../../lib/goods/words'
import type { Call } from '../../lib/ipc'
import { Resource, Work } from '../../lib/resource.svelte'

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

  private readonly about = new Resource<GoodsWhose | null>(null, { quiet: true })
  /** Whose the IPs are now, in words; empty: nobody's, or not known. */
  readonly now = $derived.by(() => {
    const whose = this.about.value?.whose ?? []
    if (whose.every(({ buyer }) => buyer === null)) return ''
    return whose.length > 1 ? whoseWords(whose) : buyerName(whose[0]?.buyer ?? null)
  })

  constructor(
    private readonly people: People,
    private readonly keys: string[],
    private readonly call: Call,
  ) {}

  /** Asks whose the IPs are now. They can be assigned without that. */
  async look(): Promise<void> {
    await this.about.ask(() => this.call('whose_goods', this.keys))
  }

  write(note: string): void {
    this.note = note
    this.noted = true
  }

  /** Records it. Returns whether that succeeded. */
  async save(): Promise<boolean> {
    const who = this.chosen === NOBODY ? ({ what: 'nobody' } as const) : this.people.who(this.chosen)
    const note = this.noted ? this.note.trim() : null
    return this.people.assignIn(this.saving, [{ keys: this.keys, who, note }])
  }
}
