/** The list of buyers: searched and sorted, and its rows for a file or the clipboard. */
import type { BuyerView } from '../../bindings/BuyerView'
import type { Column } from '../../lib/columns.svelte'
import { byName } from '../../lib/format'
import { People } from '../../lib/goods/people.svelte'
import { t } from '../../lib/i18n.svelte'
import type { Call } from '../../lib/ipc'
import { kept } from '../../lib/kept.svelte'
import type { Sheet } from '../../lib/sheet'
import { plain } from '../../lib/typed'

/** What buyers can be sorted by. */
export type BuyerOrder = 'name' | 'contact' | 'ips' | 'soon' | 'unsent'

export type BuyersColumn = Column & { id: BuyerOrder; width: string }

const TEXTS = new Set<BuyerOrder>(['name', 'contact'])

export class Buyers {
  search = $state('')
  sorted = $state.raw<{ by: BuyerOrder; down: boolean }>({ by: 'name', down: false })
  /** The text that is searched for, as it is compared. */
  readonly wanted = $derived(plain(this.search).trim().toLocaleLowerCase())
  /** The buyers that hold every word of the text, in the order of the table. */
  readonly found = $derived.by(() => {
    const { by, down } = this.sorted
    const words = this.wanted.split(/\s+/)
    const all = (this.people.buyers ?? []).filter(({ name, contact, note }) => {
      const text = plain([name, contact, note].join('\n')).toLocaleLowerCase()
      return words.every((word) => text.includes(word))
    })
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

  /** The table with the columns that are shown. The note, by which buyers are found, stands beside the name. */
  sheet(shown: BuyersColumn[]): Sheet {
    const cells: Record<BuyerOrder, (buyer: BuyerView) => string[]> = {
      name: (buyer) => [nameOf(buyer), buyer.note],
      contact: ({ contact }) => [contact],
      ips: ({ ips }) => [String(ips)],
      soon: ({ soon }) => [String(soon)],
      unsent: ({ unsent }) => [String(unsent)],
    }
    const heads = ({ id, label, number = false }: BuyersColumn) => [
      { label, number },
      ...(id === 'name' ? [{ label: t('ips.note'), number: false }] : []),
    ]
    return {
      name: 'proxytill-buyers',
      columns: shown.flatMap(heads),
      rows: this.found.map((buyer) => shown.flatMap(({ id }) => cells[id](buyer))),
    }
  }
}

/** All columns of the table, in the user's language. */
export function buyersColumns(): BuyersColumn[] {
  return [
    { id: 'name', label: t('buyers.name'), always: true, width: 'minmax(160px, 2fr)' },
    { id: 'contact', label: t('buyers.contact'), width: 'minmax(120px, 1.4fr)' },
    { id: 'ips', label: t('buyers.ips'), number: true, width: '90px' },
    { id: 'soon', label: t('buyers.soon'), number: true, width: '120px' },
    { id: 'unsent', label: t('buyers.unsent'), number: true, width: '120px' },
  ]
}

/** The name; of a deleted buyer, who it was. */
export const nameOf = ({ name, deleted }: BuyerView) => (deleted ? t('buyers.was', { name }) : name)
