import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bar, bars } from '../../test/candleSeries.ts';
import { raised } from '../../test/raised.ts';
import { chooseStrategy, STRATEGIES, strategyOf } from './catalogue.ts';
import { PART_KINDS } from './custom/partKinds.ts';
import { type Param, type Params, type ParamValue, type Signal, type StrategyRun, valueOrNull } from './strategy.ts';

const RUNS = 1_000;

/** Generates a parameter value. Small lengths are frequent, so that windows fill within a short series. */
function paramValue(param: Param): fc.Arbitrary<ParamValue> {
  switch (param.type) {
    case 'number': {
      const [min, max, step] = param.step;
      const steps = Math.round((max - min) / step);
      const at = (count: number) => Number((min + count * step).toFixed(6));
      return fc.oneof(
        fc.constant(param.value),
        fc.integer({ min: 0, max: Math.min(steps, 12) }).map(at),
        fc.integer({ min: 0, max: steps }).map(at),
      );
    }
    case 'bool':
      return fc.boolean();
    case 'list':
      return fc.subarray([...param.list]);
    case 'structure':
      return param.name === 'parts' ? rule : fc.constant(param.value);
    default:
      return fc.constantFrom(...param.list);
  }
}

/** Parts with random indicators, whose conditions refer to each other, to candle fields and to numbers. */
const rule = fc.array(fc.constantFrom(...PART_KINDS.keys()), { minLength: 1, maxLength: 8 }).chain((indicators) => {
  const outputs = indicators.flatMap((indicator, i) =>
    (PART_KINDS.get(indicator)?.outputs ?? []).map((output) => `p${i}.${output}`),
  );
  const reference = fc.oneof(
    fc.constantFrom(...outputs, 'open', 'high', 'low', 'close', 'volume', 'input.level'),
    fc.integer({ min: -100, max: 100 }),
  );
  const point = fc.record({
    connect: fc.constantFrom('base', 'and', 'or', 'none'),
    source: reference,
    op: fc.constantFrom('crossUp', 'crossDown', 'gt', 'lt', 'equal'),
    target: reference,
  });
  return fc.tuple(
    ...indicators.map((indicator, i) =>
      fc.record({
        name: fc.constant(`p${i}`),
        indicator: fc.constant(indicator),
        input: fc.record({ level: fc.integer({ min: 0, max: 100 }) }),
        buyPoint: point,
        sellPoint: point,
      }),
    ),
  );
});

const chosen = fc
  .constantFrom(...STRATEGIES.values())
  .chain((strategy) =>
    fc.tuple(
      fc.constant(strategy),
      fc.record(Object.fromEntries(strategy.params.map((param) => [param.name, paramValue(param)]))),
    ),
  )
  .filter(([strategy, params]) => !strategy.check?.(params))
  .map(([{ id }, params]) => strategyOf(id, params));

function flagsAndValues(signal: Signal) {
  return { ...raised(signal), values: Array.from(signal.values, valueOrNull) };
}

function feed(run: StrategyRun, candles: readonly Bar[]) {
  return candles.map((candle) => flagsAndValues(run.onCandle(...candle)));
}

/** Saves and restores a state through JSON, which has no NaN. */
function saveAndRestore(state: unknown): unknown {
  return revive(JSON.parse(JSON.stringify(state)));
}

function revive(value: unknown): unknown {
  if (value === null) return Number.NaN;
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revive(inner)]));
}

describe('every strategy, with any parameters, on any candles', () => {
  test('I-33: its values for a candle ignore later candles', () => {
    fc.assert(
      fc.property(chosen, bars(2, 250), bars(0, 20), fc.nat(), ({ strategy, params }, candles, others, place) => {
        const cut = place % candles.length;
        const start = () => strategy.run(params, strategy.init(params));
        const whole = feed(start(), candles);
        expect(feed(start(), [...candles.slice(0, cut), ...others]).slice(0, cut)).toEqual(whole.slice(0, cut));
      }),
      { numRuns: RUNS },
    );
  });

  test('saved and restored after every candle it gives the same values', () => {
    fc.assert(
      fc.property(chosen, bars(1, 150), ({ strategy, params }, candles) => {
        const through = feed(strategy.run(params, strategy.init(params)), candles);
        let state: unknown = strategy.init(params);
        const restored = candles.map((candle) => {
          state = saveAndRestore(state);
          const run = strategy.run(params, state);
          const said = flagsAndValues(run.onCandle(...candle));
          state = run.state;
          return said;
        });
        expect(restored).toEqual(through);
      }),
      { numRuns: RUNS },
    );
  });

  test('I-37: its values are finite or null, never negative zero, and its flags boolean', () => {
    fc.assert(
      fc.property(chosen, bars(1, 300), ({ strategy, params }, candles) => {
        for (const { values, ...flags } of feed(strategy.run(params, strategy.init(params)), candles)) {
          const wrong = [
            ...values.filter((value) => value !== null && (!Number.isFinite(value) || Object.is(value, -0))),
            ...Object.values(flags).filter((flag) => typeof flag !== 'boolean'),
          ];
          if (wrong.length > 0 || values.length !== strategy.series(params).length) {
            throw new Error(`${strategy.id} says ${JSON.stringify(flags)} and ${values}`);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('a market without movement from the first candle on gives no signal', () => {
    for (const { id } of STRATEGIES.values()) {
      const { strategy, params } = strategyOf(id, {});
      const run = strategy.run(params, strategy.init(params));
      for (let i = 0; i < 1_000; i++) {
        const { enterLong, exitLong, enterShort, exitShort } = raised(run.onCandle(0.1, 0.1, 0.1, 0.1, i % 7));
        expect([id, i, enterLong, exitLong, enterShort, exitShort]).toEqual([id, i, false, false, false, false]);
      }
    }
  });
});

describe('parameters', () => {
  const faultOf = (id: string, given: Params) => {
    const chosen = chooseStrategy(id, given);
    return chosen.ok ? null : chosen.faults[0];
  };

  test('the defaults of every strategy are valid, and its warm-up is a whole number', () => {
    for (const { id, params } of STRATEGIES.values()) {
      const chosen = strategyOf(id, {});
      expect(Object.keys(chosen.params)).toEqual(params.map(({ name }) => name));
      expect(Number.isInteger(chosen.strategy.warmup(chosen.params))).toBe(true);
    }
  });

  test('patterns are read from the list, each once', () => {
    expect(strategyOf('candlestick', { buy_patterns: ['Hammer', 'Hammer'] }).params.buy_patterns).toEqual(['Hammer']);
    expect(faultOf('candlestick', { buy_patterns: ['HangingMan'] })).toMatchObject({ code: 'param_list' });
    expect(faultOf('candlestick', { buy_patterns: 'Hammer' })).toMatchObject({ code: 'param_list' });
  });

  test('members of a vote are completed, and a fault names the place of its member', () => {
    const { params } = strategyOf('vote', { members: [{ id: 'rsi', params: { low: 25 } }, { id: 'psar' }] });
    expect(params.members).toEqual([
      { id: 'rsi', params: { length: 14, low: 25, high: 70 } },
      { id: 'psar', params: { step: 0.02, max: 0.2 } },
    ]);
    const second = (member: object) => faultOf('vote', { members: [{ id: 'rsi' }, member as { id: string }] });
    expect(second({ id: 'vote' })).toMatchObject({ code: 'member_id', member: 2 });
    const low = { option: 'low', code: 'param_number', min: 1, max: 50, isInteger: true };
    expect(second({ id: 'rsi', params: { low: 0 } })).toMatchObject({ code: 'member_params', member: 2, fault: low });
    expect(second({ id: 'rsi', weight: 2 })).toMatchObject({ code: 'member_fields', member: 2 });
    expect(faultOf('vote', { members: [{ id: 'rsi' }] })).toMatchObject({ code: 'member_count', min: 2, max: 7 });
  });
});
