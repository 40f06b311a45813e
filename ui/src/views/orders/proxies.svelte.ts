/** The proxies of one order: read when shown, concealed until asked for. */
import type { CommandError } from '../../bindings/CommandError'
import type { FileKind } from '../../bindings/FileKind'
import type { OrderView } from '../../bindings/OrderView'
import type { Particulars } from '../../bindings/Particulars'
import type { ProxyFormat } from '../../bindings/ProxyFormat'
import { app } from '../../lib/app.svelte'
import { t } from '../../lib/i18n.svelte'
import { asCommandError, call, onOrderChanged } from '../../lib/ipc'
import { Wait } from '../../lib/wait.svelte'

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
  order = $state.raw<OrderView | null>(null)
  /** What the order told when it was last read. */
  private kept = $state.raw<Particulars | null>(null)
  readonly about = $derived(this.order?.particulars ?? this.kept)
  /** Whole lines, only while revealed. */
  lines = $state.raw<string[] | null>(null)
  format = $state<ProxyFormat>('host-first')
  template = $state('')
  error = $state<CommandError | null>(null)
  readonly reading = new Wait()
  /** Of what is taken: the vendor is asked again, for nothing is kept here. */
  readonly taking = new Wait()
  /** Formats with colons cannot be taken apart again when a password holds one. */
  readonly colonsBreak = $derived(
    (this.order?.colons ?? false) && this.format !== 'host-only' && this.format !== 'own',
  )
  private readonly layout = $derived({ format: this.format, template: this.template })

  private asked = 0

  constructor(private readonly orderNo: string) {}

  /** Reads now, and again when the program sees that more was delivered. Returns how to stop. */
  watch(): () => void {
    void this.readKept()
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

  /** Shown until the vendor answers, and where it does not. */
  private async readKept(): Promise<void> {
    try {
      this.kept = await call('order_particulars', this.orderNo)
    } catch {
      // The reading of the order says what is wrong.
    }
  }

  async load(): Promise<void> {
    await this.run(async () => {
      this.order = await this.reading.run((signal) => call('order_detail', this.orderNo, signal))
      if (this.lines) await this.reveal()
    })
  }

  async reveal(): Promise<void> {
    const asked = ++this.asked
    await this.run(async () => {
      const wanted = { orderNo: this.orderNo, layout: this.layout }
      const lines = await this.taking.run((signal) => call('reveal_proxies', wanted, signal))
      // Concealed meanwhile, or asked for in another form.
      if (asked === this.asked) this.lines = lines
    })
  }

  conceal(): void {
    this.asked++
    this.lines = null
  }

  async useFormat(format: ProxyFormat): Promise<void> {
    this.format = format
    await this.run(async () => {
      if (format === 'own' && !this.template) this.template = await call('proxy_template', null)
    })
    if (this.lines) await this.reveal()
  }

  async copy(): Promise<void> {
    await this.run(async () => {
      const wanted = { orderNo: this.orderNo, layout: this.layout }
      await this.taking.run((signal) => call('copy_proxies', wanted, signal))
      app.notify(t('order.copied', { count: this.order?.addresses.length ?? 0 }))
    })
  }

  async export(kind: FileKind): Promise<void> {
    await this.run(async () => {
      const wanted = { orderNo: this.orderNo, layout: this.layout, kind }
      const saved = await this.taking.run((signal) => call('export_proxies', wanted, signal))
      app.notify(t('order.exported', { count: saved.count, path: saved.path }))
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
