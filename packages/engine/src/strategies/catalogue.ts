import type { OptionFault } from '../options/fault.ts';
import { adxDmi } from './adxDmi.ts';
import { bollinger } from './bollinger.ts';
import { candlestick } from './candlestick.ts';
import { cciSrsi } from './cciSrsi.ts';
import { completeParams } from './completeParams.ts';
import { custom } from './custom.ts';
import { dcaOf } from './dca.ts';
import { donchian } from './donchian.ts';
import { emaCross } from './emaCross.ts';
import { fisher } from './fisher.ts';
import { grid } from './grid.ts';
import { heikinAshi } from './heikinAshi.ts';
import { hullMa } from './hullMa.ts';
import { ichimoku } from './ichimoku.ts';
import { keltner } from './keltner.ts';
import { macd } from './macd.ts';
import { manual } from './manual.ts';
import { momentum } from './momentum.ts';
import { psar } from './psar.ts';
import { rsi } from './rsi.ts';
import { squeeze } from './squeeze.ts';
import { stochRsi } from './stochRsi.ts';
import type { Param, Params, Strategy } from './strategy.ts';
import { superTrend } from './superTrend.ts';
import { trendEma } from './trendEma.ts';
import { trix } from './trix.ts';
import { voteOf } from './vote.ts';
import { vwapCross } from './vwapCross.ts';
import { waveTrend } from './waveTrend.ts';

/** Strategies with signals of their own, in the order of docs/strategies.md#signal-strategies. */
const SIGNALLING = [
  emaCross,
  trendEma,
  macd,
  rsi,
  stochRsi,
  bollinger,
  keltner,
  psar,
  ichimoku,
  hullMa,
  momentum,
  waveTrend,
  cciSrsi,
  vwapCross,
  trix,
  fisher,
  donchian,
  superTrend,
  adxDmi,
  squeeze,
  heikinAshi,
  candlestick,
  custom,
] as const;
const SIGNALLING_BY_ID = byId(SIGNALLING);

const ALL = [...SIGNALLING, voteOf(SIGNALLING_BY_ID), manual, grid, dcaOf(SIGNALLING_BY_ID)] as const;

/** Every strategy, by id. */
export const STRATEGIES: ReadonlyMap<string, Strategy> = byId(ALL);

/** The strategies with their exact ids and parameters, for tables that must cover all of them. */
export type KnownStrategy = (typeof ALL)[number];
export type StrategyId = KnownStrategy['id'];

function byId(strategies: readonly Pick<Strategy, 'id'>[]): ReadonlyMap<string, Strategy> {
  // A strategy only runs with a state that it made itself, so the type of the state can be dropped here.
  return new Map(strategies.map((strategy) => [strategy.id, strategy as unknown as Strategy]));
}

/** Returns a parameter of a strategy, or undefined if either is unknown. */
export function findParam(strategy: string, name: string): Param | undefined {
  return STRATEGIES.get(strategy)?.params.find((param) => param.name === name);
}

/**
 * Finds a strategy, then completes and checks its parameters.
 *
 * @returns strategy and parameters, or every fault found
 * @see docs/options.md#refused-together
 */
export function chooseStrategy(
  id: string,
  given: Readonly<Record<string, unknown>>,
): { ok: true; strategy: Strategy; params: Params } | { ok: false; faults: OptionFault[] } {
  const strategy = STRATEGIES.get(id);
  if (!strategy) {
    return { ok: false, faults: [{ option: 'strategy', code: 'unknown_strategy', id, list: [...STRATEGIES.keys()] }] };
  }
  const completed = completeParams(strategy, given);
  return completed.ok ? { ok: true, strategy, params: completed.params } : completed;
}

/** Returns a strategy with parameters that were validated before. @throws TypeError when they are not valid */
export function strategyOf(id: string, params: Params): { strategy: Strategy; params: Params } {
  const chosen = chooseStrategy(id, params);
  if (!chosen.ok) throw new TypeError(chosen.faults.map(({ option, code }) => `${option}: ${code}`).join('; '));
  return chosen;
}
