import type { Fees } from '../../accounts/money.ts';
import { PAIRS, type Pair } from '../../market/pairs.ts';

/** The spot fees of MEXC: makers pay nothing, takers 0.05 % in the quote asset, buyers and sellers alike. */
export const MEXC_FEES: Fees = { maker: 0n, taker: 50n, asset: 'quote' };

/** Decimals of the quantity that differ from Binance's. */
const QUANTITY_DECIMALS: { [base: string]: number } = { BTC: 6, ETH: 5, XRP: 2, DOGE: 1, ADA: 2, LINK: 3 };

/** The pairs of MEXC in the sandbox: the same coins as on Binance, with finer quantities and lower minimums. */
export const MEXC_PAIRS: readonly Pair[] = PAIRS.map((pair) => {
  const quantityDecimals = QUANTITY_DECIMALS[pair.base] ?? pair.quantityDecimals;
  const finer = 10 ** (quantityDecimals - pair.quantityDecimals);
  return {
    ...pair,
    quantityDecimals,
    maxSteps: pair.maxSteps * finer,
    maxMarketSteps: pair.maxMarketSteps * finer,
    minNotional: 1,
    maxNotional: 4_000_000,
  };
});
