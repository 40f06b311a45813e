/** The names of places and business purposes that purchases mention, as far as they are known here. */
import type { Choice } from '../bindings/Choice'
import type { PurchaseConfig } from '../bindings/PurchaseConfig'
import { named } from './format'
import type { Call } from './ipc'
import { Work } from './resource.svelte'

type Name = { nameZh: string; nameEn: string }
export type Kind = 'continent' | 'country' | 'city' | 'purpose'

export class Names {
  private known = $state.raw<ReadonlyMap<string, Name>>(new Map())
  /** Whether there is a list of places, so that a place without a name is gone. */
  hasPlaces = false
  /** Whether the business purposes were read, or are being read. */
  private readsPurposes = false

  constructor(private readonly call: Call) {}

  /** Returns both names; the id stands for names that are not known. */
  both(kind: Kind, id: string): Name {
    return this.known.get(`${kind} ${id}`) ?? { nameZh: id, nameEn: id }
  }

  /** Whether both names are known. */
  knows(kind: Kind, id: string): boolean {
    return this.known.has(`${kind} ${id}`)
  }

  /** Returns the name in the user's language, or the id if it is not known. */
  of(kind: Kind, id: string): string {
    return named(this.both(kind, id)) || id
  }

  /** Reads the names of the places in these purchases, and in the background those of their business purposes. Without
   * an answer, ids stand for them. */
  async read(purchases: PurchaseConfig[]): Promise<void> {
    if (purchases.some((one) => one.businessId && !this.knows('purpose', one.businessId)))
      void this.readPurposes()
    const lines = purchases.flatMap((one) => [
      ...(one.quotaItems ?? []),
      ...(one.segmentItems ?? []),
      ...(one.specificIpItems ?? []),
    ])
    const unknown = (kind: Kind, ids: (string | undefined)[]) => [
      ...new Set(ids.filter((id): id is string => !!id && !this.known.has(`${kind} ${id}`))),
    ]
    const continents = lines.map((line) => ('continentId' in line ? line.continentId : undefined))
    const asked = {
      continents: unknown('continent', continents),
      countries: unknown(
        'country',
        lines.map((line) => line.countryCode),
      ),
      cities: unknown(
        'city',
        lines.map((line) => line.cityId),
      ),
    }
    if (Object.values(asked).every((ids) => ids.length === 0)) return
    await new Work().attempt(async () => {
      const found = await this.call('place_names', asked)
      this.hasPlaces = found.complete
      this.keep([
        ...found.continents.map((one) => [`continent ${one.continentId}`, one] as const),
        ...found.countries.map((one) => [`country ${one.countryCode}`, one] as const),
        ...found.cities.map((one) => [`city ${one.cityId}`, one] as const),
      ])
    })
  }

  private async readPurposes(): Promise<void> {
    if (this.readsPurposes) return
    this.readsPurposes = true
    const work = new Work()
    await work.attempt(async () => this.learn(await this.call('purposes', null)))
    // The vendor could not be asked: the next purchase asks again.
    if (work.error) this.readsPurposes = false
  }

  /** Takes the names of business purposes from the vendor's choices. */
  learn(purposes: Choice[]): void {
    this.keep(leaves(purposes).map((one) => [`purpose ${one.value}`, one] as const))
  }

  private keep(names: (readonly [string, Name])[]): void {
    this.known = new Map([...this.known, ...names])
  }
}

/** Returns the choices of a tree that can be chosen; the others are headings. */
export function leaves(choices: Choice[]): Choice[] {
  return choices.flatMap((one) => (one.children.length > 0 ? leaves(one.children) : one.value ? [one] : []))
}
