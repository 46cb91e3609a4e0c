import { notionalDecimals, type Pair } from '../market/pairs.ts';

/** Account money is counted in whole units of 1e-8 of an asset, as BigInt. */
export const UNIT_DECIMALS = 8;

/** The fees of an exchange. */
export type Fees = {
  /** Parts per 100,000. */
  maker: bigint;
  taker: bigint;
  /**
   * The asset in which the fee is charged: the received one, or always the quote asset. Orders lock their value and no
   * more, so an exchange that charges the quote asset can charge takers only.
   */
  asset: 'received' | 'quote';
};

/** Binance's standard fees: 0.1 % of what is received. */
export const STANDARD_FEES: Fees = { maker: 100n, taker: 100n, asset: 'received' };

/** Returns the value of one tick × step in units of the quote asset. */
export function notionalUnit(pair: Pair): bigint {
  return 10n ** BigInt(UNIT_DECIMALS - notionalDecimals(pair));
}

/** Returns one step in units of the base asset. */
export function stepUnit(pair: Pair): bigint {
  return 10n ** BigInt(UNIT_DECIMALS - pair.quantityDecimals);
}

/** Returns the commission on `units`, rounded down to a whole unit. @param rate parts per 100,000 */
export function commission(units: bigint, rate: bigint): bigint {
  return (units * rate) / 100_000n;
}
