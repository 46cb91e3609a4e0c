import { UNIT_DECIMALS } from '../../accounts/money.ts';

/** Writes `count` × 10^-decimals exactly, with eight decimals, as Binance writes every amount. */
export function decimal(count: number | bigint, decimals: number): string {
  const digits = String(count).padStart(decimals + 1, '0');
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals);
  return `${whole}.${fraction.padEnd(UNIT_DECIMALS, '0')}`;
}

/** Writes as `decimal`, for differences. */
export function signedDecimal(count: number, decimals: number): string {
  return count < 0 ? `-${decimal(-count, decimals)}` : decimal(count, decimals);
}

/** Writes units of 1e-8. */
export function units(count: bigint): string {
  return decimal(count, UNIT_DECIMALS);
}

/**
 * Reads a decimal number as units of 1e-8.
 *
 * @param text digits with an optional fraction
 * @returns undefined when it has more than eight decimals
 */
export function parseUnits(text: string): bigint | undefined {
  const [whole = '', fraction = ''] = text.split('.');
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > UNIT_DECIMALS) return undefined;
  return BigInt(whole + significant.padEnd(UNIT_DECIMALS, '0'));
}
