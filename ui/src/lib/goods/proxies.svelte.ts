/** The proxies of an order. They are read when shown, and concealed until the user reveals them. */
import type { FileKind } from '../../bindings/FileKind'
import type { OrderView } from '../../bindings/OrderView'
import type { Particulars } from '../../bindings/Particulars'
import type { ProxiesOf } from '../../bindings/ProxiesOf'
import type { ProxyFormat } from '../../bindings/ProxyFormat'
import { t } from '../i18n.svelte'
import { type Call, onOrderChanged } from '../ipc'
import { notices } from '../notices.svelte'
import { Resource, Work } from '../resource.svelte'
import { savedFiles } from '../savedFiles.svelte'

export const FORMATS: Record<ProxyFormat, string> = {
  'host-first': 'host:port:user:pass',
  'user-first': 'user:pass:host:port',
  at: 'user:pass@host:port',
  socks5: 'socks5://user:pass@host:port',
  http: 'http://user:pass@host:port',
  'host-only': 'host:port',
  own: '',
}

/** What stands for a user name or password that is not shown. */
const HIDDEN = '••••••••'

/** Returns a proxy in a format, with its user name and password hidden. `address` is `host:port`, an IPv6 in brackets. */
export function concealed(format: ProxyFormat, template: string, address: string, protocol = ''): string {
  const at = address.lastIndexOf(':')
  const [host, port] = [address.slice(0, at), address.slice(at + 1)]
  if (format !== 'own') {
    const values: Record<string, string> = { host, port, user: HIDDEN, pass: HIDDEN }
    return FORMATS[format].replace(/host|port|user|pass/g, (word) => values[word] ?? word)
  }
  const hidden = { login: HIDDEN, user: HIDDEN, password: HIDDEN, pass: HIDDEN }
  const values: Record<string, string> = { ip: host, host, port, protocol, ...hidden }
  return template.replace(/%([a-z]+)%/g, (whole, word: string) => values[word] ?? whole)
}

export class Proxies {
  /** The order as the vendor reports it now. A stop is shown with a way to continue. */
  readonly reading = new Resource<OrderView | null>(null, { showsStop: true })
  readonly order = $derived(this.reading.value)
  /** The particulars from the last read, shown until the vendor answers, or if it does not. */
  private readonly kept = new Resource<Particulars | null>(null)
  readonly about = $derived(this.order?.particulars ?? this.kept.value)
  /** The complete lines; null: concealed. */
  readonly revealed = new Resource<string[] | null>(null, { showsStop: true })
  readonly lines = $derived(this.revealed.value)
  format = $state<ProxyFormat>('host-first')
  template = $state('')
  kind = $state<FileKind>('txt')
  /** Whether the user chose a format, which an answer that comes later must not replace. */
  private isChosen = false
  /** A copy or an export. The vendor is asked again, because proxies are not stored. */
  readonly taking = new Work({ showsStop: true })
  readonly error = $derived(this.taking.error ?? this.revealed.error ?? this.reading.error)
  /** Whether a name or password has a colon, so that lines in this format cannot be split again. */
  readonly colonsBreak = $derived(
    (this.order?.colons ?? false) && this.format !== 'host-only' && this.format !== 'own',
  )
  /** The lines to show: complete while revealed, and otherwise in the same format without secrets. */
  readonly shown = $derived.by(() => {
    const { order, format, template } = this
    const protocols = order?.particulars.proxies.map((one) => one.protocol) ?? []
    const hidden = order?.addresses.map((address, at) => concealed(format, template, address, protocols[at]))
    return this.lines ?? hidden ?? []
  })
  private readonly layout = $derived({ format: this.format, template: this.template })

  constructor(
    private readonly call: Call,
    private readonly orderNo: string,
  ) {}

  /** Reads now and whenever more was delivered. Returns a function that stops it. */
  watch(): () => void {
    void this.kept.ask(() => this.call('order_particulars', this.orderNo))
    void this.load()
    void this.recall()
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

  /** Begins with the format and kind of file that were used last. Without an answer, the usual ones stay. */
  private async recall(): Promise<void> {
    await new Work().attempt(async () => {
      const last = await this.call('last_hand_over', null)
      if (this.isChosen) return
      this.kind = last.kind
      if (last.format !== this.format) await this.show(last.format)
    })
  }

  async load(): Promise<void> {
    this.forget()
    const order = await this.reading.ask((signal) => this.call('order_detail', this.orderNo, signal))
    if (order) await this.revealAgain()
  }

  async reveal(): Promise<void> {
    this.forget()
    const wanted = { orderNo: this.orderNo, layout: this.layout }
    await this.revealed.ask((signal) => this.call('reveal_proxies', wanted, signal))
  }

  /** Reveals what is chosen now, if lines are on screen or on their way. */
  async revealAgain(): Promise<void> {
    if (this.lines || this.revealed.busy) await this.reveal()
  }

  /** Removes the lines from the page and drops a pending answer. */
  conceal(): void {
    this.revealed.drop()
    this.revealed.value = null
  }

  async useFormat(format: ProxyFormat): Promise<void> {
    this.isChosen = true
    await this.show(format)
  }

  private async show(format: ProxyFormat): Promise<void> {
    this.format = format
    this.forget()
    if (format === 'own' && !this.template)
      await this.taking.attempt(async () => {
        this.template = await this.call('proxy_template', null)
      })
    await this.revealAgain()
  }

  async copy(): Promise<void> {
    await this.take(async (signal, wanted) => {
      await this.call('copy_proxies', wanted, signal)
      notices.notify(t('order.copied', { count: this.order?.addresses.length ?? 0 }))
    })
  }

  async export(): Promise<void> {
    const { kind } = this
    await this.take(async (signal, wanted) => {
      const saved = await this.call('export_proxies', { ...wanted, kind }, signal)
      void savedFiles.announce(t('order.exported', { count: saved.count, path: saved.path }), saved.path)
    })
  }

  private async take(work: (signal: AbortSignal, wanted: ProxiesOf) => Promise<void>): Promise<void> {
    this.forget()
    const wanted = { orderNo: this.orderNo, layout: this.layout }
    await this.taking.attempt((signal) => work(signal, wanted))
  }

  /** Clears the errors of the last request. That the order cannot be read stays true. */
  private forget(): void {
    for (const one of [this.revealed, this.taking]) one.error = null
  }
}
