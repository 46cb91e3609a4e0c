import { readFileSync } from 'node:fs';
import { emaInit, emaNext } from '@heron/engine/indicators/ema.ts';
import { macdInit, macdNext } from '@heron/engine/indicators/macd.ts';
import { rsiInit, rsiNext } from '@heron/engine/indicators/rsi.ts';
import { chooseStrategy } from '@heron/engine/strategies/catalogue.ts';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../../../shared/engine/vectors/', import.meta.url);

function read(name: string): string {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch {
    throw new Error(`these tests need ../shared/engine/vectors/${name} beside the repository`);
  }
}

const candles = read('candles.csv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',').map(Number) as [number, number, number, number, number, number]);
const expected = JSON.parse(read('expected.json')) as {
  indicators: Record<string, Record<string, number>>;
  strategies: Record<string, Record<'enterLong' | 'exitLong' | 'enterShort' | 'exitShort', number[]>>;
};

/** First defined index and the values at the indices that the vectors name. */
function check(name: string, series: readonly number[]): void {
  const vector = expected.indicators[name] as Record<string, number>;
  expect(series.findIndex((value) => !Number.isNaN(value))).toBe(vector.first);
  for (const [index, value] of Object.entries(vector)) {
    if (index === 'first') continue;
    expect(Math.abs((series[Number(index)] as number) / value - 1)).toBeLessThan(1e-6);
  }
}

describe('indicator vectors', () => {
  it('ema21', () => {
    const ema = emaInit(21);
    check(
      'ema21',
      candles.map(([, , , , close]) => emaNext(ema, close)),
    );
  });

  it('rsi14', () => {
    const rsi = rsiInit(14);
    check(
      'rsi14',
      candles.map(([, , , , close]) => rsiNext(rsi, close)),
    );
  });

  it('macd, its signal and its histogram', () => {
    const macd = macdInit(12, 26, 9);
    const rows = candles.map(([, , , , close]) => {
      macdNext(macd, close);
      return [macd.line, macd.signalLine, macd.histogram] as const;
    });
    check(
      'macd',
      rows.map(([line]) => line),
    );
    check(
      'macd_signal',
      rows.map(([, signal]) => signal),
    );
    check(
      'macd_hist',
      rows.map(([, , histogram]) => histogram),
    );
  });
});

describe('strategy vectors, raw flags with default parameters', () => {
  for (const id of ['ema_cross', 'macd']) {
    it(id, () => {
      const chosen = chooseStrategy(id, {});
      if (!chosen.ok) throw new Error(`${id} does not ship`);
      const run = chosen.strategy.run(chosen.params, chosen.strategy.init(chosen.params));
      const found = {
        enterLong: [] as number[],
        exitLong: [] as number[],
        enterShort: [] as number[],
        exitShort: [] as number[],
      };
      candles.forEach(([index, open, high, low, close, volume]) => {
        const signal = run.onCandle(open, high, low, close, volume);
        for (const flag of ['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const) {
          if (signal[flag]) found[flag].push(index);
        }
      });
      expect(found).toEqual(expected.strategies[id]);
      expect(found.enterLong.length).toBeGreaterThan(3);
    });
  }
});
