import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { atrInit, atrNext } from './atr.ts';
import { bollingerInit, bollingerNext } from './bollinger.ts';
import { cciInit, cciNext } from './cci.ts';
import { dmiInit, dmiNext } from './dmi.ts';
import { emaInit, emaNext } from './ema.ts';
import { linRegInit, linRegNext } from './linReg.ts';
import { macdInit, macdNext } from './macd.ts';
import { psarInit, psarNext } from './psar.ts';
import { rocInit, rocNext } from './roc.ts';
import { rsiInit, rsiNext } from './rsi.ts';
import { smaInit, smaNext } from './sma.ts';
import { standardDeviationInit, standardDeviationNext } from './standardDeviation.ts';
import { stochRsiInit, stochRsiNext } from './stochRsi.ts';
import { trixInit, trixNext } from './trix.ts';
import { wmaInit, wmaNext } from './wma.ts';

const FIGURES = new URL('../../test/talib/', import.meta.url);
const CANDLES = new URL('../../../../../shared/engine/vectors/candles.csv', import.meta.url);

interface Figures {
  function: string;
  first: number;
  outputs: Record<string, number[]>;
}

const candles = readFileSync(CANDLES, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',').slice(2, 5).map(Number) as [high: number, low: number, close: number]);

/** Processes a candle and returns the values to compare with the outputs of TA-Lib, in their order. */
type Feed = (high: number, low: number, close: number) => readonly number[];

const ours: Record<string, () => Feed> = {
  SMA: ofClose(() => smaInit(20), smaNext),
  EMA: ofClose(() => emaInit(21), emaNext),
  WMA: ofClose(() => wmaInit(10), wmaNext),
  RSI: ofClose(() => rsiInit(14), rsiNext),
  TRIX: ofClose(() => trixInit(15), trixNext),
  ROC: ofClose(() => rocInit(10), rocNext),
  LINEARREG: ofClose(() => linRegInit(20), linRegNext),
  STDDEV: ofClose(() => standardDeviationInit(20), standardDeviationNext),
  ATR: () => {
    const atr = atrInit(14);
    return (high, low, close) => [atrNext(atr, high, low, close)];
  },
  CCI: () => {
    const cci = cciInit(14);
    return (high, low, close) => [cciNext(cci, high, low, close)];
  },
  SAR: () => {
    const psar = psarInit(0.02, 0.2);
    return (high, low, close) => {
      const before = psar.direction;
      const sar = psarNext(psar, high, low, close);
      // At a reversal TA-Lib includes the extreme of that candle; our rule uses the extreme before it.
      return [psar.direction === before ? sar : Number.NaN];
    };
  },
  MACD: () => {
    const macd = macdInit(12, 26, 9);
    return (_high, _low, close) => {
      macdNext(macd, close);
      return [macd.line, macd.signalLine, macd.histogram];
    };
  },
  BBANDS: () => {
    const bands = bollingerInit(20, 2);
    return (_high, _low, close) => {
      bollingerNext(bands, close);
      return [bands.upper, bands.middle, bands.lower];
    };
  },
  ADX: () => ofDmi((dmi) => dmi.adx),
  PLUS_DI: () => ofDmi((dmi) => dmi.plus),
  MINUS_DI: () => ofDmi((dmi) => dmi.minus),
  STOCHRSI: () => {
    const single = stochRsiInit(14, 14, 1, 3);
    return (_high, _low, close) => {
      stochRsiNext(single, close);
      return [single.k, single.d];
    };
  },
};

function ofClose<State>(init: () => State, next: (state: State, close: number) => number): () => Feed {
  return () => {
    const state = init();
    return (_high, _low, close) => [next(state, close)];
  };
}

function ofDmi(pick: (dmi: ReturnType<typeof dmiInit>) => number): Feed {
  const dmi = dmiInit(14);
  return (high, low, close) => {
    dmiNext(dmi, high, low, close);
    return [pick(dmi)];
  };
}

const files = readdirSync(FIGURES).filter((name) => name.endsWith('.json'));
const figures = files.map((name) => JSON.parse(readFileSync(new URL(name, FIGURES), 'utf8')) as Figures);

describe('after their warm-up, indicators agree with TA-Lib to 1e-9', () => {
  test('every figure is compared', () => {
    expect(figures.map((figure) => figure.function).sort()).toEqual(Object.keys(ours).sort());
  });

  for (const { function: name, first, outputs } of figures) {
    test(name, () => {
      const feed = (ours[name] as () => Feed)();
      const rows = candles.map((candle) => feed(...candle));
      Object.values(outputs).forEach((values, column) => {
        expect(values.length).toBe(candles.length - first);
        const defined = rows.slice(first).filter((row) => !Number.isNaN(row[column]));
        expect(defined.length).toBeGreaterThan(0.8 * values.length);
        values.forEach((theirs, i) => {
          const value = rows[first + i]?.[column] as number;
          if (Number.isNaN(value)) return;
          // A difference of two averages may be close to 0 where the averages are close to 100.
          const scale = Math.max(Math.abs(theirs), name === 'MACD' || name === 'TRIX' ? 1 : 0, 1e-3);
          expect([i, Math.abs(value - theirs) <= 1e-9 * scale ? theirs : value]).toEqual([i, theirs]);
        });
      });
    });
  }
});
