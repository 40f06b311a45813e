/** A wallet as the program shows it. */
import type { Wallet } from '../bindings/Wallet'
import type { WalletFigure } from '../bindings/WalletFigure'

export function wallet(figure: Partial<WalletFigure> | null, of: Partial<Wallet> = {}): Wallet {
  const whole = { least: '0', most: '0', uncertain: '0', asOf: 0, doubt: null, refused: null, ...figure }
  return { isRead: false, figure: figure && whole, currency: 'USD', ledger: [], older: 0, ...of }
}
