import { decimalOf, switchToFloats } from './decimalWindow.ts';
import { type Sma, smaCoarsen, smaInit, smaNext } from './sma.ts';

export interface Cci {
  /** Of thrice the typical price, which is a decimal where its third part is none. */
  threefold: Sma;
}

/** Part of the price. Typical prices that are the same to a person can differ by rounding; that is no distance. */
const NO_DISTANCE = 1e-12;
/** Whole numbers below are exact. */
const EXACT = 2 ** 53;

export function cciInit(length: number): Cci {
  return { threefold: smaInit(length) };
}

/**
 * CCI: distance of the typical price from its mean, over 0.015 mean absolute deviations; 0 when these are 0. O(n): every
 * distance changes with the mean. The same to the last bit wherever the history began, and exact but for the last rounding
 * while prices are decimals: ±100 is met exactly.
 *
 * @returns NaN before index n − 1
 * @see docs/indicators.md#cci
 */
export function cciNext({ threefold }: Cci, high: number, low: number, close: number): number {
  const newest = decimalOf(high + low + close);
  const mean = smaNext(threefold, newest);
  if (Number.isNaN(mean)) return Number.NaN;
  if (threefold.scale === 0) return roughCci(threefold, newest, mean);
  const value = exactCci(threefold);
  if (!Number.isNaN(value)) return value;
  smaCoarsen(threefold);
  const again = exactCci(threefold);
  if (!Number.isNaN(again)) return again;
  switchToFloats(threefold);
  return roughCci(threefold, newest, mean);
}

/** NaN on a grid that is too fine for whole numbers. */
function exactCci({ items, length, at, sum }: Sma): number {
  let distances = 0;
  for (const units of items) distances += Math.abs(length * units - sum);
  if (distances === 0) return 0;
  const moved = 200 * length * (length * (items[at === 0 ? length - 1 : at - 1] as number) - sum);
  return 3 * distances < EXACT && Math.abs(moved) < EXACT ? moved / (3 * distances) : Number.NaN;
}

function roughCci({ items, at, length }: Sma, newest: number, mean: number): number {
  let sum = 0;
  for (let i = at; i < length; i++) sum += Math.abs((items[i] as number) - mean);
  for (let i = 0; i < at; i++) sum += Math.abs((items[i] as number) - mean);
  const distance = sum / length;
  return distance <= NO_DISTANCE * mean ? 0 : (newest - mean) / (0.015 * distance);
}
