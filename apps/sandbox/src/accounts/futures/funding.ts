import { Random } from '../../market/random.ts';
import type { Contract } from './contracts.ts';

/** Rates are counted in parts per 100,000,000. */
export const RATE_SCALE = 100_000_000;
/** The rate when the perpetual trades at its index: 0.01 %. */
const INTEREST = 10_000;
/** Maximum of a rate in both directions: 0.3 %. */
const MAX_RATE = 300_000;

/** Returns the first funding time after `time`. Funding times are whole multiples of the interval since the epoch. */
export function nextFunding(time: number, intervalMs: number): number {
  return (Math.floor(time / intervalMs) + 1) * intervalMs;
}

/**
 * Returns the rate of one funding time. It depends on seed, contract and time alone, so past rates need not be stored.
 *
 * @returns parts per 100,000,000; above 0 longs pay shorts
 */
export function fundingRate(seed: number, contract: Contract, at: number): number {
  const random = Random.seeded(seed, `${contract.symbol}/funding/${at}`);
  const drawn = INTEREST + Math.round(8_000 * random.normal());
  return Math.min(MAX_RATE, Math.max(-MAX_RATE, drawn));
}
