import { notionalDecimals, type Pair } from '../market/pairs.ts';

/** Account money is counted in whole units of 1e-8 of an asset, as BigInt. */
export const UNIT_DECIMALS = 8;

/** What an exchange charges for a fill. */
export type Fees = {
  /** parts per 100,000 */
  maker: bigint;
  taker: bigint;
  /**
   * what is charged: the asset that is received, or always the quote asset. Orders lock their value and no more, so an
   * exchange that charges the quote asset can charge takers only.
   */
  asset: 'received' | 'quote';
};

/** Binance's standard fees: 0.1 % of what is received. */
export const STANDARD_FEES: Fees = { maker: 100n, taker: 100n, asset: 'received' };

/** Value of one tick × step in units of the quote asset. */
export function notionalUnit(pair: Pair): bigint {
  return 10n ** BigInt(UNIT_DECIMALS - notionalDecimals(pair));
}

/** One step in units of the base asset. */
export function stepUnit(pair: Pair): bigint {
  return 10n ** BigInt(UNIT_DECIMALS - pair.quantityDecimals);
}

/** Commission on `units`, rounded down to a whole unit. @param rate parts per 100,000 */
export function commission(units: bigint, rate: bigint): bigint {
  return (units * rate) / 100_000n;
}
