import { UNIT_DECIMALS } from '../../accounts/money.ts';
import type { Pair } from '../../market/pairs.ts';

/** Writes `count` × 10^-decimals exactly, with that many decimals. */
export function plain(count: number | bigint, decimals: number): string {
  if (count < 0) return `-${plain(-count, decimals)}`;
  const digits = String(count).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Returns a level of the book with the decimals of its contract. */
export function contractLevel(pair: Pair, tick: number, steps: number): [price: string, quantity: string] {
  return [plain(tick, pair.priceDecimals), plain(steps, pair.quantityDecimals)];
}

/** Writes units of 1e-8. */
export function money(units: bigint): string {
  return plain(units, UNIT_DECIMALS);
}

/** Writes a price in units of 1e-8, as mark prices are. */
export function markPrice(units: number): string {
  return plain(units, UNIT_DECIMALS);
}
