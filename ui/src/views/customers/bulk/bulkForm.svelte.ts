/** The form of a bulk, with its preview. It outlives its view until another form takes its place. */
import type { Call } from '../../../lib/ipc'
import { Bulk } from './bulk.svelte'
import type { Pasted } from './pasted.svelte'

export class BulkForm {
  private last: { key: string; form: Bulk; end: () => void } | null = null

  constructor(private readonly call: Call) {}

  /** Returns the form for these customers, none for pasted lines: as it was left, or a new one. */
  enter(ids: string[], until: boolean, pasted: Pasted): Bulk {
    const key = JSON.stringify([ids, until])
    const last =
      this.last?.key === key && !this.last.form.view ? this.last : this.begin(key, ids, until, pasted)
    void last.form.enter()
    return last.form
  }

  /** Drops the form: another draft took the place of its own. */
  drop(): void {
    this.last?.end()
    this.last = null
  }

  private begin(key: string, ids: string[], until: boolean, pasted: Pasted) {
    this.drop()
    const make = () => new Bulk(this.call, ids, null, ids.length === 0 ? pasted : undefined)
    const last = { key, ...rooted(make) }
    last.form.until.on = until
    this.last = last
    return last
  }
}

/** Makes a form with an effect root of its own: effects that belong to a view end with the view. */
function rooted(make: () => Bulk): { form: Bulk; end: () => void } {
  let form: Bulk | undefined
  const end = $effect.root(() => {
    form = make()
  })
  return { form: form as unknown as Bulk, end }
}
