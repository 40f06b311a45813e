/** The wallet: a figure of our own, shown in the frame and in the paying dialog. */
import type { Wallet as View } from '../bindings/Wallet'
import type { WalletFigure } from '../bindings/WalletFigure'
import { decimal, difference, money } from './format'
import type { Call } from './ipc'
import { Resource } from './resource.svelte'

/** What the wallet holds after an order, and whether it suffices. */
export type After = { sum: string; suffices: 'yes' | 'perhaps' | 'no' }

/** Formats a figure: one amount, or the range that uncertain orders leave. */
export function sumOf({ least, most }: Pick<WalletFigure, 'least' | 'most'>, currency: string): string {
  return least === most ? money(most, currency) : `${decimal(least, 2)} – ${money(most, currency)}`
}

export class Wallet {
  private readonly reading = new Resource<View | null>(null, { quiet: true })
  /** The wallet as last read; null: it could not be read yet. */
  readonly view = $derived(this.reading.value)
  readonly figure = $derived(this.view?.figure ?? null)
  readonly currency = $derived(this.view?.currency ?? '')
  /** The figure in words; empty: no balance was typed. */
  readonly sum = $derived(this.figure ? sumOf(this.figure, this.currency) : '')

  constructor(private readonly call: Call) {}

  async read(): Promise<void> {
    await this.reading.askInTurn(() => this.call('wallet', null))
  }

  /** Takes over what a change has returned. */
  take(view: View): void {
    this.reading.drop()
    this.reading.value = view
  }

  /** Returns what is left after an order; null: there is no figure in this currency. */
  after(amount: string, currency: string): After | null {
    const { figure } = this
    if (!figure || (this.currency && currency && this.currency !== currency)) return null
    const [least, most] = [difference(figure.least, amount), difference(figure.most, amount)]
    const suffices = !least.startsWith('-') ? 'yes' : most.startsWith('-') ? 'no' : 'perhaps'
    return { sum: sumOf({ least, most }, this.currency || currency), suffices }
  }
}
