import { type Ema, emaInit, emaNext } from '../indicators/ema.ts';
import { type Rsi, rsiInit, rsiNext } from '../indicators/rsi.ts';
import type { FaultDetail } from '../options/fault.ts';
import type { Condition } from '../options/item.ts';
import { completeParams } from './completeParams.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { ENTER_LONG, ENTER_SHORT } from './flags.ts';
import { emptySignal, type Params, type Plain, raise, type Series, type Signal, type Strategy } from './strategy.ts';

/** Length of the RSI that starts a deal. @see docs/strategies.md#dca */
const RSI_LENGTH = 14;

const AVERAGING: Condition = { key: 'mode', eq: 'averaging' };
const PERIODIC: Condition = { key: 'mode', eq: 'periodic' };
const BY_RSI: Condition = { all: [AVERAGING, { key: 'start', eq: 'rsi' }] };
const BY_STRATEGY: Condition = { all: [AVERAGING, { key: 'start', eq: 'strategy' }] };

interface State {
  /** RSI of the start condition; `before` is its value at the previous candle. */
  rsi: Rsi;
  before: number;
  /** Mean that the close must be below for a periodic long entry. */
  mean: Ema;
  /** Number of closed candles since the last due periodic entry. */
  age: number;
  /** State of the strategy that starts a deal; empty without such a strategy. */
  starter: unknown;
}

/**
 * Runs DCA deals or periodic entries. A flag signals the start of a deal, or a periodic entry; `dca/` plans the orders.
 * `known` holds the strategies that can start a deal, by id.
 *
 * @see docs/strategies.md#dca
 */
export function dcaOf(known: ReadonlyMap<string, Strategy>) {
  const starterOf = (params: Params) => {
    const strategy = known.get(params.signal as string) as Strategy;
    const completed = completeParams(strategy, given(params));
    return completed.ok
      ? { ok: true as const, strategy, params: completed.params }
      : { ok: false as const, faults: completed.faults };
  };
  /** Returns the strategy that starts a deal, with checked parameters. */
  const chosenStarter = (params: Params) => {
    const starter = startsBy(params) === 'strategy' ? starterOf(params) : null;
    return starter?.ok ? starter : null;
  };
  return {
    id: 'dca',
    group: 'orderPlan',
    params: [
      {
        name: 'mode',
        type: 'tab',
        value: 'averaging',
        list: ['averaging', 'periodic'],
      },
      {
        name: 'safety_orders',
        type: 'number',
        value: 4,
        step: [0, 20, 1],
        apply: 'next_plan',
        show: AVERAGING,
      },
      {
        name: 'step',
        type: 'number',
        value: 2,
        step: [0.2, 20, 0.1],
        apply: 'next_plan',
        show: AVERAGING,
      },
      {
        name: 'step_scale',
        type: 'number',
        value: 1.2,
        step: [0.5, 3, 0.05],
        apply: 'next_plan',
        show: AVERAGING,
      },
      {
        name: 'volume_scale',
        type: 'number',
        value: 1.5,
        step: [0.5, 3, 0.05],
        apply: 'next_plan',
        show: AVERAGING,
      },
      {
        name: 'first_scale',
        type: 'number',
        value: 1,
        step: [0.5, 5, 0.1],
        apply: 'next_plan',
        show: AVERAGING,
      },
      {
        name: 'take_profit',
        type: 'number',
        value: 1.5,
        step: [0.2, 50, 0.1],
        apply: 'now',
        show: AVERAGING,
      },
      {
        name: 'trailing',
        type: 'number',
        value: 0,
        step: [0, 10, 0.1],
        apply: 'now',
        show: AVERAGING,
      },
      {
        name: 'start',
        type: 'tab',
        value: 'rsi',
        list: ['now', 'rsi', 'strategy'],
        show: AVERAGING,
      },
      {
        name: 'rsi_low',
        type: 'number',
        value: 35,
        step: [1, 60, 1],
        show: BY_RSI,
      },
      {
        name: 'signal',
        type: 'array',
        value: 'macd',
        list: [...known.keys()],
        names: 'strategies',
        show: BY_STRATEGY,
      },
      {
        name: 'signal_params',
        type: 'structure',
        value: [],
        show: BY_STRATEGY,
        entries: 'params',
        of: 'signal',
        complete: completeGiven,
      },
      {
        name: 'pause',
        type: 'number',
        value: 1,
        step: [0, 1000, 1],
        apply: 'now',
        show: AVERAGING,
      },
      {
        name: 'every',
        type: 'number',
        value: 48,
        step: [1, 1000, 1],
        show: PERIODIC,
      },
      {
        name: 'amount',
        type: 'number',
        value: 0,
        step: [0, 10_000, 10],
        apply: 'now',
        show: PERIODIC,
      },
      {
        name: 'only_below_ema',
        type: 'number',
        value: 0,
        step: [0, 300, 1],
        show: PERIODIC,
      },
    ],
    check(params) {
      const starter = starterOf(params);
      const fault = starter.ok ? undefined : starter.faults[0];
      return fault === undefined ? null : { code: 'signal_params', fault, param: 'signal_params' };
    },
    warmup(params) {
      switch (startsBy(params)) {
        case 'periodic':
          return Math.max(1, 3 * (params.only_below_ema as number));
        case 'rsi':
          return 4 * RSI_LENGTH;
        case 'strategy': {
          const starter = chosenStarter(params);
          return starter === null ? 1 : starter.strategy.warmup(starter.params);
        }
        default:
          return 1;
      }
    },
    series: seriesOf,
    init(params) {
      const starter = chosenStarter(params);
      return {
        rsi: rsiInit(RSI_LENGTH),
        before: Number.NaN,
        mean: emaInit(params.only_below_ema as number),
        age: 0,
        starter: starter === null ? {} : starter.strategy.init(starter.params),
      };
    },
    run(params, state) {
      const by = startsBy(params);
      const low = params.rsi_low as number;
      const every = params.every as number;
      const starter = chosenStarter(params);
      const run = starter?.strategy.run(starter.params, state.starter) ?? null;
      const signal = emptySignal(seriesOf(params).length);
      return {
        state,
        onCandle(open, high, lowest, close, volume) {
          switch (by) {
            case 'periodic':
              periodic(signal, state, every, close);
              break;
            case 'rsi': {
              const { before } = state;
              const now = rsiNext(state.rsi, close);
              state.before = now;
              raise(signal, crossedUp(before, now, low), false, crossedDown(before, now, 100 - low), false);
              signal.values[0] = now;
              break;
            }
            case 'strategy': {
              const said = run?.onCandle(open, high, lowest, close, volume).flags ?? 0;
              signal.flags = said & (ENTER_LONG | ENTER_SHORT);
              break;
            }
            default:
              signal.flags = ENTER_LONG | ENTER_SHORT;
          }
          return signal;
        },
      };
    },
  } as const satisfies Strategy<State>;
}

/** Signals every `every` candles; a long only below the mean, a short only above it. @see docs/strategies.md#dca-periodic */
function periodic(signal: Signal, state: State, every: number, close: number): void {
  state.age = state.age + 1 >= every ? 0 : state.age + 1;
  const due = state.age === 0;
  if (state.mean.length === 0) {
    raise(signal, due, false, due, false);
    return;
  }
  const average = emaNext(state.mean, close);
  raise(signal, due && close < average, false, due && close > average, false);
  signal.values[0] = average;
}

/**
 * Returns the number of candles that close until the next periodic entry is due, at least 1.
 *
 * @param state strategy state of a pair
 */
export function candlesUntilPeriodic({ every }: Params, state: unknown): number {
  const { age } = state as Pick<State, 'age'>;
  return Math.max(1, (every as number) - age);
}

/** Returns the series of the start condition; a condition without a changing value has none. */
function seriesOf(params: Params): readonly Series[] {
  if (startsBy(params) === 'rsi') return [{ name: 'rsi', pane: 'sub', kind: 'line' }];
  const hasMean = startsBy(params) === 'periodic' && (params.only_below_ema as number) > 0;
  return hasMean ? [{ name: 'ema', pane: 'main', kind: 'line' }] : [];
}

function startsBy(params: Params): 'periodic' | 'now' | 'rsi' | 'strategy' {
  return params.mode === 'periodic' ? 'periodic' : (params.start as 'now' | 'rsi' | 'strategy');
}

/** Returns the unchecked parameters of the signal strategy. */
function given(params: Params): Record<string, unknown> {
  return ((params.signal_params as readonly Plain[])[0] ?? {}) as Record<string, unknown>;
}

/** Accepts an object of parameters, alone or as the only entry of a list. The signal strategy checks its content. */
function completeGiven(value: unknown): { ok: true; value: readonly Plain[] } | { ok: false; fault: FaultDetail } {
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  const [object = {}] = list;
  if (list.length > 1 || typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { ok: false, fault: { code: 'signal_params_form' } };
  }
  return { ok: true, value: Object.keys(object).length === 0 ? [] : [object as Plain] };
}
