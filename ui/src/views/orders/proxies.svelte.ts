/** The proxies of one order: read when shown, concealed until asked for. */
import type { CommandError } from '../../bindings/CommandError'
import type { OrderView } from '../../bindings/OrderView'
import type { ProxyFormat } from '../../bindings/ProxyFormat'
import { app } from '../../lib/app.svelte'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call } from '../../lib/ipc'

export const FORMATS: Record<ProxyFormat, string> = {
  'host-first': 'host:port:user:pass',
  'user-first': 'user:pass:host:port',
  at: 'user:pass@host:port',
  socks5: 'socks5://user:pass@host:port',
  http: 'http://user:pass@host:port',
  'host-only': 'host:port',
}

export class Proxies {
  order = $state.raw<OrderView | null>(null)
  /** Whole lines, only while revealed. */
  lines = $state.raw<string[] | null>(null)
  format = $state<ProxyFormat>('host-first')
  error = $state<CommandError | null>(null)
  loading = $state(true)

  constructor(private readonly orderNo: string) {}

  async load(): Promise<void> {
    this.loading = true
    await this.run(async () => {
      this.order = await call('order_detail', this.orderNo)
    })
    this.loading = false
  }

  async reveal(): Promise<void> {
    await this.run(async () => {
      this.lines = await call('reveal_proxies', { orderNo: this.orderNo, format: this.format })
    })
  }

  conceal(): void {
    this.lines = null
  }

  async useFormat(format: ProxyFormat): Promise<void> {
    this.format = format
    if (this.lines) await this.reveal()
  }

  async copy(): Promise<void> {
    await this.run(async () => {
      await call('copy_proxies', { orderNo: this.orderNo, format: this.format })
      app.notify(t('order.copied', { count: this.order?.addresses.length ?? 0 }))
    })
  }

  private async run(work: () => Promise<void>): Promise<void> {
    this.error = null
    try {
      await work()
    } catch (thrown) {
      this.error = asCommandError(thrown)
    }
  }
}
