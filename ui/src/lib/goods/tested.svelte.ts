/** What the last test of each IP has shown, since the connection was opened. */
import { SvelteMap } from 'svelte/reactivity'
import type { ProxyTested } from '../../bindings/ProxyTested'
import { type Call, onProxyTested } from '../ipc'

export class Tested {
  private readonly last = new SvelteMap<string, ProxyTested>()
  /** Counts how often something was forgotten: what was read before is old. */
  private forgotten = 0

  constructor(private readonly call: Call) {}

  /** Reads what is known now and hears of each test that follows. Returns a function that stops it. */
  watch(): () => void {
    const { forgotten } = this
    // Without it, the IPs are simply not tested yet. A result that arrived meanwhile is newer.
    void this.call('proxy_tests', null).then(
      (known) => this.forgotten === forgotten && this.keep(known.filter(({ key }) => !this.last.has(key))),
      () => {},
    )
    const listening = onProxyTested((one) => this.keep([one]))
    return () => void listening.then((stop) => stop())
  }

  of(key: string): ProxyTested | undefined {
    return this.last.get(key)
  }

  keep(more: ProxyTested[]): void {
    for (const one of more) this.last.set(one.key, one)
  }

  forget(keys: string[]): void {
    this.forgotten++
    for (const key of keys) this.last.delete(key)
  }
}
