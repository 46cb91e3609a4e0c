import { notionalDecimals, type Pair } from '../market/pairs.ts';

/** Account money is counted in whole units of 1e-8 of an asset, as BigInt. */
export const UNIT_DECIMALS = 8;

/** Commission in parts per thousand of what is received. */
const COMMISSION_PER_MILLE = 1n;

/** Value of one tick × step in units of the quote asset. */
export function notionalUnit(pair: Pair): bigint {
  return 10n ** BigInt(UNIT_DECIMALS - notionalDecimals(pair));
}

/** One step in units of the base asset. */
export function stepUnit(pair: Pair): bigint {
  return 10n ** BigInt(UNIT_DECIMALS - pair.quantityDecimals);
}

/** Commission on `received` units, rounded down to a whole unit. */
export function commission(received: bigint): bigint {
  return (received * COMMISSION_PER_MILLE) / 1000n;
}
