import { decimalOf, switchToFloats } from './decimalWindow.ts';
import { type Sma, smaCoarsen, smaInit, smaNext } from './sma.ts';

export interface Cci {
  /** Mean of three times the typical price, which is a decimal even where the typical price is not. */
  threefold: Sma;
}

/** Relative to the price. Smaller distances between typical prices are rounding errors and count as 0. */
const NO_DISTANCE = 1e-12;
/** Limit below which whole numbers are exact. */
const EXACT = 2 ** 53;

export function cciInit(length: number): Cci {
  return { threefold: smaInit(length) };
}

/**
 * Computes the CCI: distance of the typical price from its mean, over 0.015 mean absolute deviations; 0 when these are 0. It takes
 * O(n), since every distance changes with the mean. The result is the same to the last bit wherever the history began. While
 * prices are decimals, only the last operation rounds, so ±100 is exact.
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

/** Computes the CCI in whole units; NaN when the decimal grid is too fine for exact whole numbers. */
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
