import { type DriverState, driverLiquidity, driverVolatility, initialDriverState, stepDriver } from './driver.ts';
import type { Pair } from './pairs.ts';
import { Random, type RandomState } from './random.ts';

/** A price reverts to the typical price over this time, so that no market ends at zero or infinity. */
const HOMING_MINUTES = 20 * 24 * 60;

/** The saved state: a common driver for all pairs and one driver for each pair. */
export type FundamentalState = {
  common: DriverState;
  commonRandom: RandomState;
  pairs: { [symbol: string]: { logPrice: number; driver: DriverState; random: RandomState } };
};

type PairPrice = {
  pair: Pair;
  /** Logarithm of the typical price. */
  logHome: number;
  /** Part of the own driver in the movement; `correlation` is the common driver's part. */
  ownPart: number;
  logPrice: number;
  driver: DriverState;
  random: Random;
};

/**
 * The fair prices of simulated traders: trends, ranges, crashes, bursts of volatility, and a common factor for all
 * pairs. Steps last half a second in a running market and a minute in a generated history.
 */
export class Fundamentals {
  #common: DriverState;
  #commonRandom: Random;
  /** Volatility of the common driver after the last step, which every pair needs. */
  #commonVolatility: number;
  #pairs: PairPrice[];

  private constructor(common: DriverState, commonRandom: Random, pairs: PairPrice[]) {
    this.#common = common;
    this.#commonRandom = commonRandom;
    this.#commonVolatility = driverVolatility(common);
    this.#pairs = pairs;
  }

  static seeded(seed: number, pairs: readonly Pair[]): Fundamentals {
    return new Fundamentals(
      { ...initialDriverState },
      Random.seeded(seed, 'common'),
      pairs.map((pair) => {
        const random = Random.seeded(seed, `${pair.symbol}/fundamental`);
        const logHome = Math.log(pair.typicalPrice);
        return {
          pair,
          logHome,
          ownPart: Math.sqrt(1 - pair.correlation * pair.correlation),
          logPrice: logHome + 0.05 * random.normal(),
          driver: { ...initialDriverState },
          random,
        };
      }),
    );
  }

  static restored(state: FundamentalState, seed: number, pairs: readonly Pair[]): Fundamentals {
    const fresh = Fundamentals.seeded(seed, pairs);
    fresh.#common = { ...state.common };
    fresh.#commonVolatility = driverVolatility(state.common);
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

  /** Advances all prices. @param minutes length of the step, at most about 1 */
  step(minutes: number): void {
    const common = stepDriver(this.#common, this.#commonRandom, minutes);
    this.#commonVolatility = driverVolatility(this.#common);
    for (const slot of this.#pairs) {
      const { pair } = slot;
      const own = stepDriver(slot.driver, slot.random, minutes);
      const home = slot.logHome - slot.logPrice;
      slot.logPrice +=
        pair.volatility * (pair.correlation * common + slot.ownPart * own) + (home * minutes) / HOMING_MINUTES;
    }
  }

  /** Returns the fair price of the pair at `index`, in quote. */
  price(index: number): number {
    return Math.exp((this.#pairs[index] as PairPrice).logPrice);
  }

  /** Sets the fair price of the pair at `index`. */
  setPrice(index: number, price: number): void {
    (this.#pairs[index] as PairPrice).logPrice = Math.log(price);
  }

  /**
   * Returns the liquidity of the pair at `index` as a part of its usual one, 0 exclusive to 1. It is the lower one of
   * its own liquidity and the common one.
   */
  liquidity(index: number): number {
    const { driver } = this.#pairs[index] as PairPrice;
    return Math.min(driverLiquidity(this.#common), driverLiquidity(driver));
  }

  /** Returns the volatility of the pair at `index`, as the standard deviation of a minute's logarithmic return. */
  volatility(index: number): number {
    const { pair, ownPart, driver } = this.#pairs[index] as PairPrice;
    const relative = Math.hypot(pair.correlation * this.#commonVolatility, ownPart * driverVolatility(driver));
    return pair.volatility * relative;
  }
}
