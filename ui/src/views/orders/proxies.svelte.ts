/** The proxies of one order: read when shown, concealed until asked for. */
import type { FileKind } from '../../bindings/FileKind'
import type { OrderView } from '../../bindings/OrderView'
import type { Particulars } from '../../bindings/Particulars'
import type { ProxiesOf } from '../../bindings/ProxiesOf'
import type { ProxyFormat } from '../../bindings/ProxyFormat'
import { t } from '../../lib/i18n.svelte'
import { type Call, onOrderChanged } from '../../lib/ipc'
import { notices } from '../../lib/notices.svelte'
import { Resource, Work } from '../../lib/resource.svelte'

export const FORMATS: Record<ProxyFormat, string> = {
  'host-first': 'host:port:user:pass',
  'user-first': 'user:pass:host:port',
  at: 'user:pass@host:port',
  socks5: 'socks5://user:pass@host:port',
  http: 'http://user:pass@host:port',
  'host-only': 'host:port',
  own: '',
}

export class Proxies {
  /** The order as the vendor tells it now. Who stops waiting is offered to go on. */
  readonly reading = new Resource<OrderView | null>(null, { showsStop: true })
  readonly order = $derived(this.reading.value)
  /** What the order told when it was last read: shown until the vendor answers, and where it does not. */
  private readonly kept = new Resource<Particulars | null>(null)
  readonly about = $derived(this.order?.particulars ?? this.kept.value)
  /** Whole lines, only while revealed. */
  readonly revealed = new Resource<string[] | null>(null, { showsStop: true })
  readonly lines = $derived(this.revealed.value)
  format = $state<ProxyFormat>('host-first')
  template = $state('')
  /** What is taken: the vendor is asked again, for nothing is kept here. */
  readonly taking = new Work({ showsStop: true })
  readonly error = $derived(this.taking.error ?? this.revealed.error ?? this.reading.error)
  /** Formats with colons cannot be taken apart again when a password holds one. */
  readonly colonsBreak = $derived(
    (this.order?.colons ?? false) && this.format !== 'host-only' && this.format !== 'own',
  )
  private readonly layout = $derived({ format: this.format, template: this.template })

  constructor(
    private readonly call: Call,
    private readonly orderNo: string,
  ) {}

  /** Reads now, and again when the program sees that more was delivered. Returns how to stop. */
  watch(): () => void {
    void this.kept.ask(() => this.call('order_particulars', this.orderNo))
    void this.load()
    const listening = onOrderChanged((orderNo) => {
      if (orderNo === this.orderNo) void this.load()
    })
    return () => {
      this.conceal()
      this.reading.stop()
      this.taking.stop()
      void listening.then((stop) => stop())
    }
  }

  async load(): Promise<void> {
    this.forget()
    const order = await this.reading.ask((signal) => this.call('order_detail', this.orderNo, signal))
    if (order && this.lines) await this.reveal()
  }

  async reveal(): Promise<void> {
    this.forget()
    const wanted = { orderNo: this.orderNo, layout: this.layout }
    await this.revealed.ask((signal) => this.call('reveal_proxies', wanted, signal))
  }

  /** Nothing of it stays in the page; an answer that is under way is dropped. */
  conceal(): void {
    this.revealed.drop()
    this.revealed.value = null
  }

  async useFormat(format: ProxyFormat): Promise<void> {
    this.format = format
    this.forget()
    if (format === 'own' && !this.template)
      await this.taking.attempt(async () => {
        this.template = await this.call('proxy_template', null)
      })
    if (this.lines) await this.reveal()
  }

  async copy(): Promise<void> {
    await this.take(async (signal, wanted) => {
      await this.call('copy_proxies', wanted, signal)
      notices.notify(t('order.copied', { count: this.order?.addresses.length ?? 0 }))
    })
  }

  async export(kind: FileKind): Promise<void> {
    await this.take(async (signal, wanted) => {
      const saved = await this.call('export_proxies', { ...wanted, kind }, signal)
      notices.notify(t('order.exported', { count: saved.count, path: saved.path }))
    })
  }

  private async take(work: (signal: AbortSignal, wanted: ProxiesOf) => Promise<void>): Promise<void> {
    this.forget()
    const wanted = { orderNo: this.orderNo, layout: this.layout }
    await this.taking.attempt((signal) => work(signal, wanted))
  }

  /** An error belongs to what was asked last. */
  private forget(): void {
    for (const one of [this.reading, this.revealed, this.taking]) one.error = null
  }
}
