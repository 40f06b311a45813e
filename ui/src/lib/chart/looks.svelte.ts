/** How each chart was left: the days that it shows alone, and whether it is a table. */

export type Look = { asTable: boolean; zoom: [string, string] | null }

export class Looks {
  private readonly all = new Map<string, Look>()

  /** How a chart was left; as it is at first otherwise. */
  of(name: string): Look {
    return this.all.get(name) ?? { asTable: false, zoom: null }
  }

  keep(name: string, look: Look): void {
    this.all.set(name, look)
  }
}
