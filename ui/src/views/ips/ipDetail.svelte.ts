/** One IP of the list: everything that is known of it. */
import type { GoodsView } from '../../bindings/GoodsView'
import { type Call, onIpsChanged, onOrderChanged } from '../../lib/ipc'
import { Resource } from '../../lib/resource.svelte'

export class IpDetail {
  /** What is known; null: nothing any more, or not yet. */
  readonly ip = new Resource<GoodsView | null>(null, { quiet: true })

  constructor(
    private readonly call: Call,
    private readonly key: string,
  ) {}

  async load(): Promise<void> {
    await this.ip.ask(() => this.call('goods_named', this.key))
  }

  /** Reads it now and whenever more was delivered or listed. Returns a function that stops it. */
  watch(): () => void {
    void this.load()
    const read = () => void this.load()
    const listening = [onOrderChanged(read), onIpsChanged(read)]
    return () => {
      for (const one of listening) void one.then((stop) => stop())
    }
  }
}
