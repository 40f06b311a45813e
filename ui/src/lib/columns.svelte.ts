/** Which columns of a table are shown. The program remembers what the user has changed. */
import { type Call, call } from './ipc'

export type Column = {
  id: string
  label: string
  number?: boolean
  /** The name to sort by. */
  sort?: string
  /** A sentence that explains the label. */
  explain?: string
  /** It says what a row is, and stays. */
  always?: true
  /** Not shown unless chosen. */
  off?: true
  /** Its share of the room that is left; it is cut where there is less. */
  grows?: number
  /** Gives way while the details of a row stand beside the table. */
  minor?: true
  /** Gives way where the table has little room; its cells are of the class `wide`. */
  wide?: true
  /** Gives way only where it has very little, as beside details in the smallest window; of the class `medium`. */
  medium?: true
}

export class Columns {
  /** The columns that are not at their default, by table. */
  private turned = $state.raw<Readonly<Record<string, string[]>>>({})

  constructor(private readonly call: Call) {}

  /** Takes what the program remembers. */
  recall(turned: Record<string, string[]>): void {
    this.turned = turned
  }

  isShown(table: string, { id, always, off }: Column): boolean {
    return always === true || this.isTurned(table, id) !== (off !== true)
  }

  /** The columns to show, in their order; `narrow`: details stand beside the table. */
  shown<C extends Column>(table: string, all: C[], narrow = false): C[] {
    return all.filter((column) => this.isShown(table, column) && !(narrow && column.minor))
  }

  /** Whether a table has been changed. */
  isChanged(table: string): boolean {
    return (this.turned[table]?.length ?? 0) > 0
  }

  /** Shows or hides a column. */
  async turn(table: string, { id, always }: Column): Promise<void> {
    if (always) return
    const turned = this.turned[table] ?? []
    await this.keep(table, this.isTurned(table, id) ? turned.filter((one) => one !== id) : [...turned, id])
  }

  /** Shows the columns that are shown at first. */
  async reset(table: string): Promise<void> {
    await this.keep(table, [])
  }

  private isTurned(table: string, id: string): boolean {
    return this.turned[table]?.includes(id) ?? false
  }

  private async keep(table: string, turned: string[]): Promise<void> {
    this.turned = { ...this.turned, [table]: turned }
    await this.call('save_columns', { table, turned })
  }
}

export const columns = new Columns(call)
