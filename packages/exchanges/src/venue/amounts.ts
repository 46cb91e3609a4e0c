import { SCALE_DECIMALS } from '@heron/engine/money/units.ts';

/**
 * Returns the units of a decimal text. Decimals beyond a unit are rounded up, so that a fee is never counted too low.
 *
 * @throws TypeError when it is no plain decimal or leaves the exact range
 */
export function unitsUp(text: string, decimals: number = SCALE_DECIMALS): number {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new TypeError(`${text} is no decimal`);
  const [, sign, whole = '0', fraction = ''] = match;
  const kept = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const beyond = /[1-9]/.test(fraction.slice(decimals)) && sign === '' ? 1 : 0;
  const units = kept + beyond;
  if (!Number.isSafeInteger(units)) throw new TypeError(`${text} cannot be held exactly`);
  return sign === '' ? units : 0 - units;
}

/**
 * Returns the units of a decimal text.
 *
 * @throws TypeError when it is no plain decimal, has more decimals than a unit, or leaves the exact range
 */
export function exactUnits(text: string, decimals: number = SCALE_DECIMALS): number {
  const digits = text.split('.')[1] ?? '';
  if (/[1-9]/.test(digits.slice(decimals))) throw new TypeError(`${text} has more than ${decimals} decimals`);
  return unitsUp(text, decimals);
}
