import type { CandleColumns } from '../market/candle.ts';
import type { FaultDetail } from '../options/fault.ts';
import type { ChoiceItem, Condition, NumberItem } from '../options/item.ts';
import { bothFlags, flagsOf } from './flags.ts';

/** A parameter of a strategy: an option item without group and apply class. @see docs/strategies.md#what-a-strategy-is */
export type Param = (NumberParam | BoolParam | ChoiceParam | ListParam | StructureParam) & {
  /** A form shows the parameter only while this holds; keys are other parameters. A hidden parameter is checked as well. */
  readonly show?: Condition;
};

type NumberParam = Pick<NumberItem, 'name' | 'type' | 'value' | 'step'>;

/** A switch. */
interface BoolParam {
  readonly name: string;
  readonly type: 'bool';
  readonly value: boolean;
}

type ChoiceParam = Pick<ChoiceItem, 'name' | 'type' | 'value' | 'list'> & {
  /** The values are ids of strategies, which have titles of their own. */
  readonly names?: 'strategies';
};

/** Any number of values of a list. */
export interface ListParam {
  readonly name: string;
  readonly type: 'list';
  readonly value: readonly string[];
  readonly list: readonly string[];
}

/** A value that has parts of its own, which only its strategy can check. */
export interface StructureParam {
  readonly name: string;
  readonly type: 'structure';
  readonly value: readonly Plain[];
  /**
   * Kind of the entries, for a form that edits them: parts of a rule, strategies with their parameters, or a single entry with
   * the parameters of another strategy.
   */
  readonly entries: 'parts' | 'members' | 'params';
  /** For `params`: the parameter that names the other strategy. */
  readonly of?: string;
  /** Ids of the strategies that a member can be. */
  readonly known?: readonly string[];
  /** Completes missing values. @returns the complete value, or its fault with the entry that has it, if one has */
  complete(value: unknown): CompletedStructure;
}

export type CompletedStructure =
  | { ok: true; value: readonly Plain[] }
  | { ok: false; fault: FaultDetail /** Index from 0. */; entry?: number };

/** Plain data, as JSON has it. */
export type Plain = number | string | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

export type ParamValue = number | string | boolean | readonly Plain[];

export type Params = Readonly<Record<string, ParamValue>>;

/** How a value of the strategy is drawn. @see docs/strategies.md#what-a-strategy-is */
export interface Series {
  /** Of a rule's part `part.output`, of a member of a vote `place.name`, counted from 1; others have no dot in it. */
  readonly name: string;
  readonly pane: 'main' | 'sub' | 'bottom';
  readonly kind: 'line' | 'dot' | 'histogram' | 'marker';
}

/** What a strategy says of the newest closed candle; one object per run, overwritten each candle. */
export interface Signal {
  /** Which of the four flags are raised: bits of `flags.ts`. */
  flags: number;
  /** Values of `series`, in their order; NaN while undefined. A typed array, so that no candle allocates. */
  readonly values: Float64Array;
}

/** Enough candles for a tight loop, few enough for the columns of ten pairs to stay in the cache. */
export const MAX_AT_ONCE = 512;

/** A strategy in progress: feed it closed candles in order. `state` is plain data and continues it anywhere. */
export interface StrategyRun<State = unknown> {
  readonly state: State;
  /** Takes one closed candle and returns the flags, before the warm-up mask. */
  onCandle(open: number, high: number, low: number, close: number, volume: number): Signal;
  /**
   * The same for up to {@link MAX_AT_ONCE} closed candles, from `from` to before `to`: their flags go to the beginning of
   * `flags`, and no values are made. Only strategies have it that are much faster so: in loops over a copy of the state,
   * whose numbers stay in registers. The loops are functions of the module: what V8 has compiled for a function of one run
   * goes with that run.
   */
  onCandles?(candles: CandleColumns, from: number, to: number, flags: Uint8Array): void;
}

export interface Strategy<State = unknown> {
  readonly id: string;
  readonly group: 'trend' | 'momentum' | 'reversion' | 'volatility' | 'volume' | 'pattern' | 'ladder' | 'meta' | 'none';
  readonly params: readonly Param[];
  /** Returns a fault between parameters that are each in range, at `param` if that one alone is wrong. */
  check?(params: Params): (FaultDetail & { readonly param?: string }) | null;
  /** Closed candles before the flags count. */
  warmup(params: Params): number;
  /** What is drawn of it, in the order of a signal's values. */
  series(params: Params): readonly Series[];
  init(params: Params): State;
  /** Continues from a state made by `init`, or from a saved copy of one; mutates it. */
  run(params: Params, state: State): StrategyRun<State>;
}

/** A signal with no flag set and no value. */
export function emptySignal(values: number): Signal {
  return { flags: 0, values: new Float64Array(values).fill(Number.NaN) };
}

/** Sets all four flags. */
export function raise(
  signal: Signal,
  enterLong: boolean,
  exitLong: boolean,
  enterShort: boolean,
  exitShort: boolean,
): void {
  signal.flags = flagsOf(enterLong, exitLong, enterShort, exitShort);
}

/**
 * Sets the flags of a symmetric rule: BUY is enterLong and exitShort, SELL enterShort and exitLong.
 *
 * @see docs/strategies.md#notation
 */
export function signalBoth(signal: Signal, buy: boolean, sell: boolean): void {
  signal.flags = bothFlags(buy, sell);
}

/** A value of a signal as documents and charts have it: null while undefined. */
export function valueOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
