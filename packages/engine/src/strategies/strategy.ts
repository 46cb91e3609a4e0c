import type { ChoiceItem, NumberItem, Text } from '../options/item.ts';

/** A parameter of a strategy: an option item without group and apply class. @see strategies.md 1.1 */
export type Param =
  | (Pick<NumberItem, 'name' | 'type' | 'value' | 'step'> & { readonly title: Text })
  | (Pick<ChoiceItem, 'name' | 'type' | 'value' | 'list'> & { readonly title: Text });

export type Params = Readonly<Record<string, number | string>>;

/** How a value of the strategy is drawn. @see strategies.md 1.1 */
export interface Series {
  readonly name: string;
  readonly pane: 'main' | 'sub' | 'bottom';
  readonly kind: 'line' | 'dot' | 'histogram' | 'marker';
}

/** What a strategy says of the newest closed candle; one object per run, overwritten each candle. */
export interface Signal {
  enterLong: boolean;
  exitLong: boolean;
  enterShort: boolean;
  exitShort: boolean;
  /** Values of `series`, in their order; null while undefined. */
  values: (number | null)[];
}

/** A strategy in progress: feed it closed candles in order. `state` is plain data and continues it anywhere. */
export interface StrategyRun<State = unknown> {
  readonly state: State;
  /** Takes one closed candle and returns the flags, before the warm-up mask. */
  onCandle(open: number, high: number, low: number, close: number, volume: number): Signal;
}

export interface Strategy<State = unknown> {
  readonly id: string;
  readonly title: Text;
  readonly group: 'trend' | 'momentum' | 'reversion' | 'volatility' | 'volume' | 'pattern' | 'ladder' | 'meta' | 'none';
  readonly help: Text;
  readonly params: readonly Param[];
  /** Faults between parameters that are each in range. */
  check?(params: Params): Text | null;
  /** Closed candles before the flags count. */
  warmup(params: Params): number;
  readonly series: readonly Series[];
  init(params: Params): State;
  /** Continues from a state made by `init`, or from a saved copy of one; mutates it. */
  run(params: Params, state: State): StrategyRun<State>;
}

/** A signal with no flag set and no value. */
export function emptySignal(values: number): Signal {
  return {
    enterLong: false,
    exitLong: false,
    enterShort: false,
    exitShort: false,
    values: new Array<number | null>(values).fill(null),
  };
}
