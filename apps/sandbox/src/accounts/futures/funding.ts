import { Random } from '../../market/random.ts';
import type { Contract } from './contracts.ts';

/** Rates are counted in parts per 100,000,000. */
export const RATE_SCALE = 100_000_000;
/** The rate when perpetual and index agree: 0.01 %. */
const INTEREST = 10_000;
/** Most that a rate may be, either way: 0.3 %. */
const MAX_RATE = 300_000;

/** The first funding time after `time`. Fundings lie on whole multiples of the interval since the epoch. */
export function nextFunding(time: number, intervalMs: number): number {
  return (Math.floor(time / intervalMs) + 1) * intervalMs;
}

/**
 * The rate that is paid at one funding time: a function of seed, contract and time alone, so that the past can be asked
 * for without being kept.
 *
 * @returns parts per 100,000,000; above 0 longs pay shorts
 */
export function fundingRate(seed: number, contract: Contract, at: number): number {
  const random = Random.seeded(seed, `${contract.symbol}/funding/${at}`);
  const drawn = INTEREST + Math.round(8_000 * random.normal());
  return Math.min(MAX_RATE, Math.max(-MAX_RATE, drawn));
}
