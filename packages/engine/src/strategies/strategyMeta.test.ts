import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { raised } from '../../test/raised.ts';
import { strategyOf } from './catalogue.ts';
import type { Params } from './strategy.ts';

const FOLDER = new URL('../../../../../shared/engine/vectors/', import.meta.url);
type Candle = readonly [open: number, high: number, low: number, close: number, volume: number];
const candles = readFileSync(new URL('candles.csv', FOLDER), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',').slice(1).map(Number) as unknown as Candle);
const vectors = (
  JSON.parse(readFileSync(new URL('expected.json', FOLDER), 'utf8')) as {
    strategies: Record<string, { enterLong: number[]; exitLong: number[]; enterShort: number[]; exitShort: number[] }>;
  }
).strategies;

/** Returns the indices of the candles with a buy or sell signal. */
function signals(id: string, given: Params, input: readonly Candle[] = candles) {
  const { strategy, params } = strategyOf(id, given);
  const run = strategy.run(params, strategy.init(params));
  const found = { buy: [] as number[], sell: [] as number[] };
  input.forEach((candle, i) => {
    const signal = raised(run.onCandle(...candle));
    expect([signal.enterLong, signal.enterShort]).toEqual([signal.exitShort, signal.exitLong]);
    if (signal.enterLong) found.buy.push(i);
    if (signal.enterShort) found.sell.push(i);
  });
  return found;
}

describe('vote', () => {
  const members = ['macd', 'psar', 'supertrend', 'hull_ma'];

  for (const [quorum, window] of [
    [1, 1],
    [2, 1],
    [2, 5],
    [3, 12],
    [4, 20],
  ] as const) {
    test(`quorum ${quorum}, window ${window}: the members' flags, counted independently`, () => {
      /** Returns the newest flag of a member within the window. */
      const voteOf = (id: string, at: number) => {
        for (let i = at; i > at - window && i >= 0; i--) {
          if (vectors[id]?.enterLong.includes(i)) return 1;
          if (vectors[id]?.enterShort.includes(i)) return -1;
        }
        return 0;
      };
      const agreed = candles.map((_, at) => {
        const votes = members.map((id) => voteOf(id, at));
        const buys = votes.filter((vote) => vote === 1).length;
        const sells = votes.filter((vote) => vote === -1).length;
        return { buy: buys >= quorum && sells === 0, sell: sells >= quorum && buys === 0 };
      });
      const begins = (side: 'buy' | 'sell') =>
        agreed.flatMap((now, at) => (now[side] && !agreed[at - 1]?.[side] ? [at] : []));
      const expected = { buy: begins('buy'), sell: begins('sell') };
      expect(signals('vote', { members: members.map((id) => ({ id })), quorum, window })).toEqual(expected);
      expect(expected.buy.length).toBeGreaterThan(0);
    });
  }

  test('waits for the member that needs most candles', () => {
    const { strategy, params } = strategyOf('vote', {
      members: [{ id: 'rsi' }, { id: 'trix', params: { length: 20 } }],
    });
    expect(strategy.warmup(params)).toBe(180);
  });
});

describe('custom', () => {
  const point = (connect: string, source: string | number, op: string, target: string | number) => ({
    connect,
    source,
    op,
    target,
  });
  const rule = (...parts: object[]) => ({ parts: parts as Params[string] & object[] }) as unknown as Params;

  test('two means that cross are the strategy that ships', () => {
    const fast = { name: 'fast', indicator: 'ema', input: { length: 10 } };
    const slow = {
      name: 'slow',
      indicator: 'ema',
      input: { length: 21 },
      buyPoint: point('base', 'fast.value', 'crossUp', 'value'),
      sellPoint: point('base', 'fast.value', 'crossDown', 'slow.value'),
    };
    const { enterLong, enterShort } = vectors.ema_cross as NonNullable<(typeof vectors)[string]>;
    expect(signals('custom', rule(fast, slow))).toEqual({ buy: enterLong, sell: enterShort });
  });

  test('combines inputs, candle fields and outputs: RSI, SuperTrend and MACD as shipped', () => {
    const parts = {
      rsi: {
        indicator: 'rsi',
        input: { low: 30, high: 70 },
        buyPoint: point('base', 'value', 'crossUp', 'input.low'),
        sellPoint: point('base', 'rsi.value', 'crossDown', 'input.high'),
      },
      supertrend: {
        indicator: 'supertrend',
        buyPoint: point('base', 'direction', 'crossUp', 0),
        sellPoint: point('base', 'direction', 'crossDown', 0),
      },
      macd: {
        indicator: 'macd',
        buyPoint: point('base', 'histogram', 'crossUp', 0),
        sellPoint: point('base', 'histogram', 'crossDown', 0),
      },
    };
    for (const [id, part] of Object.entries(parts)) {
      const { enterLong, enterShort } = vectors[id] as NonNullable<(typeof vectors)[string]>;
      expect(signals('custom', rule(part))).toEqual({ buy: enterLong, sell: enterShort });
    }
  });

  /** Candles with the closes 1, 2, 3, …, so that a condition is true at known candles. */
  const counting = Array.from({ length: 10 }, (_, i): Candle => [i + 1, i + 1, i + 1, i + 1, 1]);
  const held = (...points: object[]) =>
    signals('custom', rule(...points.map((buyPoint, i) => ({ name: `p${i}`, indicator: 'roc', buyPoint }))), counting)
      .buy;

  test('conditions are joined from top to bottom', () => {
    const over = (connect: string, level: number) => point(connect, 'close', 'gt', level);
    const under = (connect: string, level: number) => point(connect, 'close', 'lt', level);
    expect(held(over('base', 3), under('and', 6))).toEqual([3, 4]);
    expect(held(under('base', 2), over('or', 9))).toEqual([0, 9]);
    // A final `or` includes candles that an earlier `and` excluded; a final `and` does not.
    expect(held(under('base', 2), over('and', 3), over('or', 8))).toEqual([8, 9]);
    expect(held(over('or', 8), under('and', 10))).toEqual([8]);
    expect(held(under('base', 2), over('base', 8))).toEqual([8, 9]);
    expect(held(over('base', 8), { ...under('or', 2), connect: 'none' })).toEqual([8, 9]);
    expect(held({ connect: 'none' })).toEqual([]);
  });

  test('operators: above, below, equal, and crosses that need the candle before', () => {
    expect(held(point('base', 'close', 'equal', 4))).toEqual([3]);
    expect(held(point('base', 'close', 'crossUp', 4))).toEqual([4]);
    expect(held(point('base', 4, 'crossDown', 'close'))).toEqual([4]);
    expect(held(point('base', 'close', 'crossUp', 0))).toEqual([]);
  });

  test('waits for the part that needs most candles', () => {
    const { strategy, params } = strategyOf('custom', rule({ indicator: 'rsi' }, { indicator: 'trix' }));
    expect(strategy.warmup(params)).toBe(135);
  });
});

describe('the series', () => {
  /** Returns a column of values for each series, by name. */
  function drawn(id: string, given: Params) {
    const { strategy, params } = strategyOf(id, given);
    const run = strategy.run(params, strategy.init(params));
    const rows = candles.map((candle) => Array.from(run.onCandle(...candle).values));
    return new Map(strategy.series(params).map(({ name }, at) => [name, rows.map((row) => row[at])]));
  }

  test('of a rule are the rule and each value of its parts, in its indicator’s pane', () => {
    const parts = [
      { indicator: 'ema', name: 'trend', input: { length: 10 }, buyPoint: above('close', 'trend.value') },
      { indicator: 'macd' },
      { indicator: 'psar' },
    ];
    const { strategy, params } = strategyOf('custom', { parts });
    expect(strategy.series(params).map(({ name, pane, kind }) => `${name} ${pane} ${kind}`)).toEqual([
      'rule bottom histogram',
      'trend.value main line',
      'macd.line sub line',
      'macd.signal sub line',
      'macd.histogram sub histogram',
      'psar.sar main dot',
      'psar.direction sub histogram',
    ]);
    const rule = drawn('custom', { parts });
    const macd = drawn('macd', {});
    expect(rule.get('macd.line')).toEqual(macd.get('macd'));
    expect(rule.get('macd.histogram')).toEqual(macd.get('histogram'));
    expect(rule.get('trend.value')).toEqual(drawn('ema_cross', { fast: 10 }).get('fast'));
    expect(rule.get('psar.sar')).toEqual(drawn('psar', {}).get('sar'));
  });

  test('of a vote are the votes and the series of every member, also of a rule', () => {
    const members = [
      { id: 'rsi', params: {} },
      { id: 'custom', params: {} },
      { id: 'rsi', params: { length: 5 } },
    ];
    const vote = drawn('vote', { members });
    expect([...vote.keys()]).toEqual([
      'buy_votes',
      'sell_votes',
      '1.rsi',
      '2.rule',
      '2.trend.value',
      '2.rsi.value',
      '3.rsi',
    ]);
    expect(vote.get('1.rsi')).toEqual(drawn('rsi', {}).get('rsi'));
    expect(vote.get('3.rsi')).toEqual(drawn('rsi', { length: 5 }).get('rsi'));
    expect(vote.get('2.rsi.value')).toEqual(drawn('custom', {}).get('rsi.value'));
  });

  test('of DCA are those of its start condition, if that has any', () => {
    expect([...drawn('dca', { start: 'rsi' }).keys()]).toEqual(['rsi']);
    expect([...drawn('dca', { start: 'now' }).keys()]).toEqual([]);
    expect([...drawn('dca', { mode: 'periodic' }).keys()]).toEqual([]);
    const below = drawn('dca', { mode: 'periodic', only_below_ema: 10 });
    expect(below.get('ema')).toEqual(drawn('ema_cross', { fast: 10 }).get('fast'));
  });
});

const above = (source: string, target: string) => ({ connect: 'base', source, op: 'gt', target });
