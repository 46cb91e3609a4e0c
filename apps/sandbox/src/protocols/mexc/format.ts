import { UNIT_DECIMALS } from '../../accounts/money.ts';

/** Writes `count` × 10^-decimals exactly with all its decimals, as MEXC writes books. */
export function fixed(count: number | bigint, decimals: number): string {
  const digits = String(count).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Writes as `fixed` without trailing zeros, as MEXC writes orders, trades and balances. Counts may be negative. */
export function plain(count: number | bigint, decimals: number): string {
  if (count < 0) return `-${plain(-count, decimals)}`;
  const text = fixed(count, decimals);
  return decimals === 0 ? text : text.replace(/\.?0+$/, '');
}

/** Writes units of 1e-8. */
export function units(count: bigint): string {
  return plain(count, UNIT_DECIMALS);
}
