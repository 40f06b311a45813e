/** Handing IPs to a buyer: for whom, in which format and language, and whether they were sent. */
import type { BuyerView } from '../../bindings/BuyerView'
import type { DeliveryText } from '../../bindings/DeliveryText'
import type { GoodsWhose } from '../../bindings/GoodsWhose'
import type { HandOver as Asked } from '../../bindings/HandOver'
import type { ProxyFormat } from '../../bindings/ProxyFormat'
import type { SentHow } from '../../bindings/SentHow'
import { LANGUAGES, type Language, language, t } from '../i18n.svelte'
import type { Call } from '../ipc'
import { notices } from '../notices.svelte'
import { Resource, Work } from '../resource.svelte'
import { savedFiles, savedWords } from '../savedFiles.svelte'
import type { People } from './people.svelte'
import { whoseWords } from './words'

const isLanguage = (one: string): one is Language => LANGUAGES.some((known) => known === one)

export class HandOver {
  private out = $state.raw<ReadonlySet<string>>(new Set())
  /** The IPs that are handed over. */
  readonly keys = $derived.by(() => this.all.filter((key) => !this.out.has(key)))
  /** Number of IPs that were left out. They stay the buyer's. */
  readonly leftOut = $derived(this.out.size)
  /** The value of the field that asks for whom the IPs are. */
  chosen = $state('')
  /** The buyer, once the IPs are recorded as theirs. */
  buyer = $state.raw<BuyerView | null>(null)
  format = $state<ProxyFormat>('host-first')
  template = $state('')
  language = $state<Language>(language())
  /** Whether copying or saving the message marks the IPs as sent. */
  marks = $state(true)
  private readonly assigning = new Work()
  private readonly preview = new Resource<string>('', { quiet: true })
  /** The message with its credentials; null: concealed. */
  readonly revealed = new Resource<DeliveryText | null>(null)
  readonly taking = new Work()
  /** Whose the IPs are now. */
  private readonly about = new Resource<GoodsWhose | null>(null, { quiet: true })
  readonly message = $derived(this.revealed.value?.text ?? this.preview.value)
  /** Whether a colon broke the lines of what was copied or saved last. */
  private broke = $state(false)
  /** Whether a colon in a user name or password breaks the lines of the message, as far as its credentials were read. */
  readonly colonsBreak = $derived(this.revealed.value?.colons ?? this.broke)
  readonly busy = $derived(this.assigning.busy || this.taking.busy)
  readonly error = $derived(
    this.taking.error ??
      this.revealed.error ??
      this.preview.error ??
      this.assigning.error ??
      this.about.error,
  )
  /** The IPs that have run out. */
  readonly expired = $derived((this.about.value?.expired ?? []).filter((key) => !this.out.has(key)))
  /** The IPs whose credentials the vendor does not show. */
  readonly unreadable = $derived((this.about.value?.unreadable ?? []).filter((key) => !this.out.has(key)))
  /** Whose the IPs are now, if they are not all of one buyer; null: they are, or nobody's. */
  readonly several = $derived.by(() => {
    const whose = this.about.value?.whose ?? []
    return whose.length > 1 && !this.buyer ? whoseWords(whose) : null
  })
  /** How the IPs were marked as sent here; null: they were not. */
  sent = $state<SentHow | null>(null)

  constructor(
    private readonly call: Call,
    private readonly people: People,
    private readonly all: string[],
  ) {}

  /** Begins with the buyer that all of the IPs are already for. */
  async begin(): Promise<void> {
    const [about] = await Promise.all([
      this.about.ask(() => this.call('whose_goods', this.keys)),
      this.people.load(),
      // The message is made in the usual format if the last one is not known.
      this.recall().catch(() => {}),
    ])
    const [first, ...others] = about?.whose ?? []
    const buyer = others.length === 0 ? this.people.buyer(first?.buyer?.id) : undefined
    if (buyer && !buyer.deleted && !this.chosen) this.take(buyer)
  }

  /** Takes over the format that was used last, for a buyer who has none yet. */
  private async recall(): Promise<void> {
    const { format } = await this.call('last_hand_over', null)
    if (format === 'own') this.template = await this.call('proxy_template', null)
    this.format = format
  }

  /** Records for whom the IPs are, and takes over the buyer's language and format. What is being sent was another's. */
  async assign(value: string): Promise<void> {
    this.taking.stop()
    this.conceal()
    this.chosen = value
    const who = this.people.who(value)
    this.buyer = null
    if (!who) return
    await this.assigning.attempt(() => this.people.assign([{ keys: this.keys, who, note: null }]))
    const buyer = this.people.meant(who)
    if (buyer && !this.assigning.error && this.chosen === value) this.take(buyer)
  }

  private take(buyer: BuyerView): void {
    this.buyer = buyer
    this.chosen = this.people.valueOf(buyer.id)
    this.sent = null
    if (buyer.layout) {
      this.format = buyer.layout.format
      this.template = buyer.layout.template
    }
    if (isLanguage(buyer.language)) this.language = buyer.language
    void this.show()
  }

  /** Leaves more IPs out of what is handed over. */
  leaveOut(keys: string[]): Promise<void> {
    return this.without(new Set([...this.out, ...keys]))
  }

  /** Takes in again what was left out. */
  putBack(): Promise<void> {
    return this.without(new Set())
  }

  /** What is being sent, or was marked as sent, stays as it is. */
  private async without(out: ReadonlySet<string>): Promise<void> {
    if (this.busy || this.sent) return
    this.out = out
    void this.about.ask(() => this.call('whose_goods', this.keys))
    await this.show()
  }

  private get asked(): Asked | null {
    const { keys, buyer, format, template, language } = this
    return buyer && { keys, buyer: buyer.id, layout: { format, template }, language }
  }

  async useFormat(format: ProxyFormat): Promise<void> {
    this.format = format
    if (format === 'own' && !this.template)
      await this.taking.attempt(async () => {
        this.template = await this.call('proxy_template', null)
      })
    await this.show()
  }

  async useLanguage(language: Language): Promise<void> {
    this.language = language
    await this.show()
  }

  /** Shows the message as it is now, concealed or not. */
  async show(): Promise<void> {
    this.forget()
    this.broke = false
    const { asked } = this
    if (!asked) return
    if (this.revealed.value !== null || this.revealed.busy) await this.reveal()
    else await this.preview.ask(() => this.call('preview_delivery', asked))
  }

  async reveal(): Promise<void> {
    this.forget()
    const { asked } = this
    if (asked) await this.revealed.ask((signal) => this.call('show_delivery', asked, signal))
  }

  /** Removes the credentials from the page. */
  conceal(): void {
    this.revealed.drop()
    this.revealed.value = null
  }

  /** Copies the message. Returns whether it is on the clipboard. */
  copy(): Promise<boolean> {
    return this.send('copied', async (signal, asked) => {
      this.broke = await this.call('copy_delivery', asked, signal)
      notices.notify(t('delivery.copied'))
    })
  }

  save(): Promise<boolean> {
    return this.send('file', async (signal, asked) => {
      const { path, colons } = await this.call('save_delivery', asked, signal)
      this.broke = colons
      void savedFiles.announce(savedWords(path), path)
    })
  }

  /** Saves a picture with a QR code of the IPs. */
  picture(): Promise<boolean> {
    return this.send('picture', async (signal, asked) => {
      const { path, colons } = await this.call('picture_delivery', asked, signal)
      this.broke = colons
      void savedFiles.announce(savedWords(path), path)
    })
  }

  private async send(
    how: SentHow,
    work: (signal: AbortSignal, asked: Asked) => Promise<void>,
  ): Promise<boolean> {
    this.forget()
    const { asked } = this
    if (!asked || this.taking.busy) return false
    return this.taking.attempt(async (signal) => {
      await work(signal, asked)
      if (this.marks) await this.marked(asked, how)
    })
  }

  /** Marks the IPs as sent, because a person says so. */
  async mark(): Promise<void> {
    this.forget()
    const { asked } = this
    if (asked) await this.taking.once(() => this.marked(asked, 'by-hand'))
  }

  private async marked({ keys, buyer }: Asked, how: SentHow): Promise<void> {
    await this.call('mark_sent', { keys, buyer, how })
    if (this.buyer?.id === buyer) this.sent = how
    await this.people.changed()
  }

  /** Takes the mark back that was set here. */
  async unmark(): Promise<void> {
    this.forget()
    const { asked, sent: how } = this
    if (!asked || !how) return
    await this.taking.once(async () => {
      await this.call('unmark_sent', { keys: asked.keys, buyer: asked.buyer, how })
      this.sent = null
      await this.people.changed()
    })
  }

  /** Clears errors: they belong to the last request. */
  private forget(): void {
    for (const one of [this.preview, this.revealed, this.taking]) one.error = null
  }
}
