/** Testing IPs before they are handed over: what each test has shown, and which IPs to leave out. */
import type { ProxyTested } from '../../bindings/ProxyTested'
import type { Call } from '../ipc'
import { Work } from '../resource.svelte'
import type { Tested } from './tested.svelte'

/** The IPs of a hand-over. */
type Goods = { readonly keys: string[]; leaveOut: (keys: string[]) => void }

export const works = (one: ProxyTested) => one.outcome.is === 'works'

export class ProxyTests {
  readonly run = new Work()
  /** The results of the IPs that are handed over, those that fail first. */
  readonly results = $derived.by(() => {
    const all = this.goods.keys.flatMap((key) => this.tested.of(key) ?? [])
    return [...all.filter((one) => !works(one)), ...all.filter(works)]
  })
  readonly failing = $derived(this.results.filter((one) => !works(one)))
  /** Number of IPs that were not tested. */
  readonly untested = $derived.by(() => this.goods.keys.length - this.results.length)
  /** When the last of them was tested, wall clock, in ms since 1970. */
  readonly at = $derived(this.results.reduce((latest, one) => Math.max(latest, one.at), 0))

  constructor(
    private readonly call: Call,
    private readonly goods: Goods,
    private readonly tested: Tested,
  ) {}

  /** Tests all of the IPs. Stopping keeps what was found. */
  async test(): Promise<void> {
    const { keys } = this.goods
    await this.run.once(async (signal) => {
      this.tested.forget(keys)
      this.tested.keep(await this.call('test_proxies', keys, signal))
    })
  }

  /** Leaves the IPs out that do not work, if that leaves any. */
  leaveOut(): void {
    this.goods.leaveOut(this.failing.map((one) => one.key))
  }
}
