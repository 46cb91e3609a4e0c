import { exact, type Quote } from '../money/units.ts';

/** Money of a bot. @see docs/accounting.md#spot-balances, docs/accounting.md#futures-positions */
export interface Wallet {
  /** Total of the quote currency: C on spot, W on futures. */
  quote: Quote;
  /** Start capital of this epoch. */
  start: Quote;
  /** Σ transfers since the start, in quote. Results exclude them. */
  transfers: Quote;
  /** Amount that a paper wallet could not pay and does not owe. @see docs/margin.md#liquidation */
  insurance: Quote;
  /** Other assets, by name, in 1e-8 of the asset: transfers less fees paid in them. */
  third: Record<string, number>;
  /** Fees paid in third assets, in quote: results include them but `quote` does not. @see docs/accounting.md#fees */
  thirdFees: Quote;
}

/** Creates a wallet at the start of an epoch, with `capital` and no third assets. @see docs/accounting.md#paper-account */
export function openWallet(capital: Quote): Wallet {
  return { quote: capital, start: capital, transfers: 0, insurance: 0, third: {}, thirdFees: 0 };
}

/**
 * Returns the start capital plus all transfers since, which is the reference for results.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export function startCapitalOf({ start, transfers }: Wallet): Quote {
  return exact(start + transfers);
}

/**
 * Books a fee paid in an asset that is neither base nor quote.
 *
 * @param fee in 1e-8 of the asset; @param value the same in quote at the time of the fill
 * @see docs/accounting.md#fees
 */
export function bookThirdFee(wallet: Wallet, asset: string, fee: number, value: Quote): void {
  wallet.third[asset] = exact((wallet.third[asset] ?? 0) - fee);
  wallet.thirdFees = exact(wallet.thirdFees + value);
}
