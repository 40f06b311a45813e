/** The list of buyers: searched and sorted, and its rows for a file or the clipboard. */
import type { BuyerView } from '../../bindings/BuyerView'
import { byName } from '../../lib/format'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { kept } from '../../lib/kept.svelte'
import type { Sheet } from '../../lib/sheet'
import { plain } from '../../lib/typed'
import { People } from './people.svelte'

/** What buyers can be sorted by. */
export type BuyerOrder = 'name' | 'contact' | 'ips' | 'soon' | 'unsent'

const TEXTS = new Set<BuyerOrder>(['name', 'contact'])

export class Buyers {
  search = $state('')
  sorted = $state.raw<{ by: BuyerOrder; down: boolean }>({ by: 'name', down: false })
  /** The text that is searched for, as it is compared. */
  readonly wanted = $derived(plain(this.search).trim().toLocaleLowerCase())
  /** The buyers that hold the text, in the order of the table. */
  readonly found = $derived.by(() => {
    const { by, down } = this.sorted
    const all = (this.people.buyers ?? []).filter(({ name, contact, note }) =>
      [name, contact, note].some((text) => plain(text).toLocaleLowerCase().includes(this.wanted)),
    )
    const compare = (one: BuyerView, other: BuyerView) =>
      by === 'name' || by === 'contact' ? byName(one[by], other[by]) : one[by] - other[by]
    return all.sort((one, other) => (down ? compare(other, one) : compare(one, other)))
  })

  private readonly people: People

  constructor(call: Call) {
    this.people = kept.of(People, call)
  }

  /** Sorts by a column, or reverses its order: texts begin with A, numbers with the highest. */
  sortBy(by: BuyerOrder): void {
    const { sorted } = this
    this.sorted = { by, down: sorted.by === by ? !sorted.down : !TEXTS.has(by) }
  }

  /** The table with all that is known of each buyer. */
  sheet(): Sheet {
    const text = (label: string) => ({ label, number: false })
    const number = (label: string) => ({ label, number: true })
    const rows = this.found.map((buyer) => [
      nameOf(buyer),
      buyer.contact,
      ...[buyer.ips, buyer.soon, buyer.unsent].map(String),
      buyer.note,
    ])
    return {
      name: 'proxytill-buyers',
      columns: [
        text(t('buyers.name')),
        text(t('buyers.contact')),
        number(t('buyers.ips')),
        number(t('buyers.soon')),
        number(t('buyers.unsent')),
        text(t('ips.note')),
      ],
      rows,
    }
  }
}

/** The name; of a deleted buyer, who it was. */
export const nameOf = ({ name, deleted }: BuyerView) => (deleted ? t('buyers.was', { name }) : name)
