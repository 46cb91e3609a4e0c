import { type DriverState, driverLiquidity, driverVolatility, initialDriverState, stepDriver } from './driver.ts';
import type { Pair } from './pairs.ts';
import { Random, type RandomState } from './random.ts';

/** A price that strays far is drawn home over this time, so that no market ends at zero or infinity. */
const HOMING_MINUTES = 20 * 24 * 60;

/** What moves all pairs at once, and each alone. */
export type FundamentalState = {
  common: DriverState;
  commonRandom: RandomState;
  pairs: { [symbol: string]: { logPrice: number; driver: DriverState; random: RandomState } };
};

type PairPrice = { pair: Pair; logPrice: number; driver: DriverState; random: Random };

/**
 * The prices that simulated traders believe in: trends, ranges, crashes, bursts of volatility, and a common factor that
 * moves all pairs together. Step by half a second while the market runs, by a minute when history is made.
 */
export class Fundamentals {
  #common: DriverState;
  #commonRandom: Random;
  #pairs: PairPrice[];

  private constructor(common: DriverState, commonRandom: Random, pairs: PairPrice[]) {
    this.#common = common;
    this.#commonRandom = commonRandom;
    this.#pairs = pairs;
  }

  static seeded(seed: number, pairs: readonly Pair[]): Fundamentals {
    return new Fundamentals(
      { ...initialDriverState },
      Random.seeded(seed, 'common'),
      pairs.map((pair) => {
        const random = Random.seeded(seed, `${pair.symbol}/fundamental`);
        return {
          pair,
          logPrice: Math.log(pair.typicalPrice) + 0.05 * random.normal(),
          driver: { ...initialDriverState },
          random,
        };
      }),
    );
  }

  static restored(state: FundamentalState, seed: number, pairs: readonly Pair[]): Fundamentals {
    const fresh = Fundamentals.seeded(seed, pairs);
    fresh.#common = { ...state.common };
    fresh.#commonRandom = new Random(state.commonRandom);
    for (const slot of fresh.#pairs) {
      const saved = state.pairs[slot.pair.symbol];
      if (!saved) continue;
      slot.logPrice = saved.logPrice;
      slot.driver = { ...saved.driver };
      slot.random = new Random(saved.random);
    }
    return fresh;
  }

  get state(): FundamentalState {
    return {
      common: { ...this.#common },
      commonRandom: this.#commonRandom.state,
      pairs: Object.fromEntries(
        this.#pairs.map(({ pair, logPrice, driver, random }) => [
          pair.symbol,
          { logPrice, driver: { ...driver }, random: random.state },
        ]),
      ),
    };
  }

  /** Moves all prices on. @param minutes length of the step, at most about 1 */
  step(minutes: number): void {
    const common = stepDriver(this.#common, this.#commonRandom, minutes);
    for (const slot of this.#pairs) {
      const { pair } = slot;
      const own = stepDriver(slot.driver, slot.random, minutes);
      const shared = pair.correlation;
      const home = Math.log(pair.typicalPrice) - slot.logPrice;
      slot.logPrice +=
        pair.volatility * (shared * common + Math.sqrt(1 - shared * shared) * own) + (home * minutes) / HOMING_MINUTES;
    }
  }

  /** Believed price of the pair at `index`, in quote. */
  price(index: number): number {
    return Math.exp((this.#pairs[index] as PairPrice).logPrice);
  }

  /** Makes the pair at `index` believe in `price`. */
  setPrice(index: number, price: number): void {
    (this.#pairs[index] as PairPrice).logPrice = Math.log(price);
  }

  /** How much of its usual liquidity the pair at `index` has, 0 exclusive to 1: the less of its own and of all pairs' news. */
  liquidity(index: number): number {
    const { driver } = this.#pairs[index] as PairPrice;
    return Math.min(driverLiquidity(this.#common), driverLiquidity(driver));
  }

  /** Current volatility of the pair at `index`, as the standard deviation of a minute's logarithmic return. */
  volatility(index: number): number {
    const { pair, driver } = this.#pairs[index] as PairPrice;
    const shared = pair.correlation;
    const relative = Math.hypot(
      shared * driverVolatility(this.#common),
      Math.sqrt(1 - shared * shared) * driverVolatility(driver),
    );
    return pair.volatility * relative;
  }
}
