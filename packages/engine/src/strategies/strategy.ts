import type { CandleColumns } from '../market/candle.ts';
import type { FaultDetail } from '../options/fault.ts';
import type { Apply, ChoiceItem, Condition, NumberItem } from '../options/item.ts';
import { bothFlags, flagsOf } from './flags.ts';

/** A parameter of a strategy: an option item without group. @see docs/strategies.md#what-a-strategy-is */
export type Param = (NumberParam | BoolParam | ChoiceParam | ListParam | StructureParam) & {
  /** A form shows the parameter only while this holds; keys are other parameters. A hidden parameter is checked as well. */
  readonly show?: Condition;
  /** When a change acts; by a reload when left out. @see docs/bot-lifecycle.md#when-option-changes-act */
  readonly apply?: 'now' | 'next_plan';
};

/** Returns when a changed parameter acts while its strategy stays. @see docs/bot-lifecycle.md#when-option-changes-act */
export function paramApply({ apply }: Param): Apply {
  return apply ?? 'reload';
}

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

/** A structured value that only its strategy can check. */
export interface StructureParam {
  readonly name: string;
  readonly type: 'structure';
  readonly value: readonly Plain[];
  /**
   * Kind of the entries, for a form that edits them: parts of a rule, or strategies with their parameters. `params` is a single
   * entry with the parameters of another strategy.
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

/** Plain JSON data. */
export type Plain = number | string | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

export type ParamValue = number | string | boolean | readonly Plain[];

export type Params = Readonly<Record<string, ParamValue>>;

/** Chart series of a value of the strategy. @see docs/strategies.md#what-a-strategy-is */
export interface Series {
  /** Name: `part.output` for a part of a rule, `place.name` for a member of a vote, from 1. Other names contain no dot. */
  readonly name: string;
  readonly pane: 'main' | 'sub' | 'bottom';
  readonly kind: 'line' | 'dot' | 'histogram' | 'marker';
}

/** Output of a strategy for the newest closed candle; one object per run, overwritten at each candle. */
export interface Signal {
  /** Set flags, as bits of `flags.ts`. */
  flags: number;
  /** Values of `series`, in their order; NaN while undefined. A typed array, so that no candle allocates. */
  readonly values: Float64Array;
}

/** Maximum candles per `onCandles` call: enough for a tight loop, few enough to keep the columns of ten pairs in the cache. */
export const MAX_AT_ONCE = 512;

/** A running strategy, which processes closed candles in order. `state` is plain data from which another run can continue. */
export interface StrategyRun<State = unknown> {
  readonly state: State;
  /** Processes one closed candle and returns the signal, before the warm-up mask. */
  onCandle(open: number, high: number, low: number, close: number, volume: number): Signal;
  /**
   * Processes up to {@link MAX_AT_ONCE} closed candles, from `from` to before `to`. It writes their flags to the start of `flags` and
   * computes no values. Only strategies that are much faster this way implement it, by loops over a copy of the state whose numbers
   * stay in registers. The loops are functions of the module, since V8 discards the compiled code of a function with its run.
   */
  onCandles?(candles: CandleColumns, from: number, to: number, flags: Uint8Array): void;
}

export interface Strategy<State = unknown> {
  readonly id: string;
  readonly group:
    | 'trend'
    | 'momentum'
    | 'reversion'
    | 'volatility'
    | 'volume'
    | 'pattern'
    | 'orderPlan'
    | 'meta'
    | 'none';
  readonly params: readonly Param[];
  /** Returns a fault between parameters that are each in range, at `param` if that one alone is wrong. */
  check?(params: Params): (FaultDetail & { readonly param?: string }) | null;
  /** Returns the number of closed candles before the flags are used. */
  warmup(params: Params): number;
  /** Returns the chart series, in the order of a signal's values. */
  series(params: Params): readonly Series[];
  init(params: Params): State;
  /** Continues from a state of `init`, or from a saved copy of one, and mutates it. */
  run(params: Params, state: State): StrategyRun<State>;
}

/** Creates a signal without flags and values. */
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

/** Converts a value of a signal for documents and charts: null while undefined. */
export function valueOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
