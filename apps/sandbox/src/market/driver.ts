import type { Random } from './random.ts';

/**
 * The market regimes. Drift and volatility in standard deviations of a quiet minute; liquidity as a part of the usual
 * liquidity.
 */
const REGIMES = {
  range: { weight: 46, minutes: 300, drift: 0, volatility: 0.85, reversion: 1 / 45, liquidity: 1 },
  rise: { weight: 22, minutes: 240, drift: 0.07, volatility: 1, reversion: 0, liquidity: 1 },
  fall: { weight: 20, minutes: 220, drift: -0.075, volatility: 1.1, reversion: 0, liquidity: 1 },
  rally: { weight: 4, minutes: 40, drift: 0.6, volatility: 1.8, reversion: 0, liquidity: 0.7 },
  crash: { weight: 4, minutes: 25, drift: -1.4, volatility: 2.8, reversion: 0, liquidity: 0.4 },
  thin: { weight: 4, minutes: 150, drift: 0, volatility: 0.7, reversion: 1 / 60, liquidity: 0.2 },
} as const;

type RegimeName = keyof typeof REGIMES;
const NAMES = Object.keys(REGIMES) as RegimeName[];
/** V8 looks a changing name up in a map faster than in an object. */
const REGIME_OF = new Map<RegimeName, (typeof REGIMES)[RegimeName]>(NAMES.map((name) => [name, REGIMES[name]]));
const TOTAL_WEIGHT = NAMES.reduce((sum, name) => sum + REGIMES[name].weight, 0);

/** Volatility clusters: its logarithm reverts to its mean in about three hours, with this spread. */
const CLUSTER_MINUTES = 180;
const CLUSTER_SPREAD = 0.45;
/** Mean number of minutes between price jumps. */
const JUMP_MINUTES = 900;

/** The saved state of a driver, as plain data. */
export type DriverState = {
  regime: RegimeName;
  /** Move of the price in this regime. */
  moved: number;
  logVolatility: number;
};

export const initialDriverState: DriverState = { regime: 'range', moved: 0, logVolatility: 0 };

/** Returns the current volatility of a driver, 1 in quiet times. */
export function driverVolatility(state: DriverState): number {
  return regimeOf(state).volatility * Math.exp(state.logVolatility - CLUSTER_SPREAD ** 2 / 2);
}

/** Returns the current liquidity of a driver, 1 in quiet times. */
export function driverLiquidity(state: DriverState): number {
  return regimeOf(state).liquidity;
}

/**
 * Advances a driver in time and changes `state`.
 *
 * @param minutes length of the step
 * @returns the movement, in standard deviations of a quiet minute
 */
export function stepDriver(state: DriverState, random: Random, minutes: number): number {
  if (random.next() < minutes / regimeOf(state).minutes) {
    state.regime = drawRegime(random);
    state.moved = 0;
  }
  const pull = minutes / CLUSTER_MINUTES;
  state.logVolatility += -pull * state.logVolatility + CLUSTER_SPREAD * Math.sqrt(2 * pull) * random.normal();
  const { drift, reversion } = regimeOf(state);
  const volatility = driverVolatility(state);
  let move = (drift - reversion * state.moved) * minutes + volatility * Math.sqrt(minutes) * random.normal();
  if (random.next() < minutes / JUMP_MINUTES) move += 4 * volatility * random.normal();
  state.moved += move;
  return move;
}

function regimeOf({ regime }: DriverState): (typeof REGIMES)[RegimeName] {
  return REGIME_OF.get(regime) as (typeof REGIMES)[RegimeName];
}

function drawRegime(random: Random): RegimeName {
  let left = random.next() * TOTAL_WEIGHT;
  for (const name of NAMES) {
    left -= REGIMES[name].weight;
    if (left < 0) return name;
  }
  return 'range';
}
