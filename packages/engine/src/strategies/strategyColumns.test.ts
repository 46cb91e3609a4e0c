import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candleColumns } from '../market/candle.ts';
import { STRATEGIES, strategyOf } from './catalogue.ts';
import type { StrategyRun } from './strategy.ts';

const CANDLES = 400;
/** Parameters that enable every part of a rule. */
const PARAMS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ema_cross: { fast: 4, slow: 9, band: 0.05 },
  macd: { fast: 4, slow: 9, signal: 3, rsi_length: 5, rsi_exit: 65 },
  rsi: { length: 4 },
};

type TakesColumns = StrategyRun & Required<Pick<StrategyRun, 'onCandles'>>;

function runOf(id: string): StrategyRun {
  const { strategy, params } = strategyOf(id, PARAMS[id] ?? {});
  return strategy.run(params, strategy.init(params));
}

const inColumns = [...STRATEGIES.keys()].filter((id) => runOf(id).onCandles !== undefined);

test('the strategies with a rule over columns are those that are tried here', () => {
  expect(inColumns.sort()).toEqual(Object.keys(PARAMS).sort());
});

test.each(inColumns)('%s gives equal results and state for many candles and one by one', (id) => {
  // The steps are small, so that prices repeat.
  const steps = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: CANDLES, maxLength: CANDLES });
  const ends = fc.uniqueArray(fc.nat(CANDLES), { maxLength: 12 });
  fc.assert(
    fc.property(steps, ends, fc.nat(CANDLES), (steps, ends, change) => {
      const candles = candleColumns(CANDLES);
      let price = 1_000;
      steps.forEach((step, i) => {
        price += step;
        candles.close[i] = price;
      });
      const single = runOf(id);
      const expected = Array.from(candles.close, (close) => single.onCandle(close, close, close, close, 1).flags);

      const many = runOf(id) as TakesColumns;
      const said: number[] = [];
      let from = 0;
      for (const to of [...ends, CANDLES].sort((a, b) => a - b)) {
        const flags = new Uint8Array(to - from);
        // Both methods can alternate on one state.
        if (from > change) {
          for (let i = from; i < to; i++) {
            const close = candles.close[i] as number;
            flags[i - from] = many.onCandle(close, close, close, close, 1).flags;
          }
        } else many.onCandles(candles, from, to, flags);
        said.push(...flags);
        from = to;
      }

      expect(said).toEqual(expected);
      expect(many.state).toEqual(single.state);
    }),
  );
});
