import { readFileSync } from 'node:fs';
import { atrInit, atrNext } from '@heron/engine/indicators/atr.ts';
import { bollingerInit, bollingerNext } from '@heron/engine/indicators/bollinger.ts';
import { cciInit, cciNext } from '@heron/engine/indicators/cci.ts';
import { dmiInit, dmiNext } from '@heron/engine/indicators/dmi.ts';
import { donchianInit, donchianNext } from '@heron/engine/indicators/donchian.ts';
import { emaInit, emaNext } from '@heron/engine/indicators/ema.ts';
import { fisherInit, fisherNext } from '@heron/engine/indicators/fisher.ts';
import { heikinAshiInit, heikinAshiNext } from '@heron/engine/indicators/heikinAshi.ts';
import { hmaInit, hmaNext } from '@heron/engine/indicators/hma.ts';
import { ichimokuInit, ichimokuNext } from '@heron/engine/indicators/ichimoku.ts';
import { keltnerInit, keltnerNext } from '@heron/engine/indicators/keltner.ts';
import { macdInit, macdNext } from '@heron/engine/indicators/macd.ts';
import { psarInit, psarNext } from '@heron/engine/indicators/psar.ts';
import { rsiInit, rsiNext } from '@heron/engine/indicators/rsi.ts';
import { smaInit, smaNext } from '@heron/engine/indicators/sma.ts';
import { stochRsiInit, stochRsiNext } from '@heron/engine/indicators/stochRsi.ts';
import { superTrendInit, superTrendNext } from '@heron/engine/indicators/superTrend.ts';
import { trixInit, trixNext } from '@heron/engine/indicators/trix.ts';
import { vwapInit, vwapNext } from '@heron/engine/indicators/vwap.ts';
import { waveTrendInit, waveTrendNext } from '@heron/engine/indicators/waveTrend.ts';
import { wmaInit, wmaNext } from '@heron/engine/indicators/wma.ts';
import { chooseStrategy } from '@heron/engine/strategies/catalogue.ts';
import { FLAG_BITS } from '@heron/engine/strategies/flags.ts';
import { describe, expect, test } from 'vitest';

const folder = new URL('../../../../shared/engine/vectors/', import.meta.url);

function read(name: string): string {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch {
    throw new Error(`these tests need ../shared/engine/vectors/${name} beside the repository`);
  }
}

type Row = readonly [index: number, open: number, high: number, low: number, close: number, volume: number];
type Flag = 'enterLong' | 'exitLong' | 'enterShort' | 'exitShort';

const candles = read('candles.csv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',').map(Number) as unknown as Row);
const expected = JSON.parse(read('expected.json')) as {
  indicators: Record<string, Record<string, number>>;
  strategies: Record<string, Record<Flag, number[]>>;
};

/** Processes a candle and returns the values of an indicator in the order of the names. */
type Feed = (candle: Row) => readonly number[];

const ofClose =
  <State>(state: State, next: (state: State, close: number) => number): Feed =>
  ([, , , , close]) => [next(state, close)];

/** Every indicator of the test vectors, by the names of its values. */
const indicators: readonly [names: readonly string[], start: () => Feed][] = [
  [['sma20'], () => ofClose(smaInit(20), smaNext)],
  [['ema21'], () => ofClose(emaInit(21), emaNext)],
  [['wma10'], () => ofClose(wmaInit(10), wmaNext)],
  [['hma36'], () => ofClose(hmaInit(36), hmaNext)],
  [['rsi14'], () => ofClose(rsiInit(14), rsiNext)],
  [['trix15'], () => ofClose(trixInit(15), trixNext)],
  [
    ['atr14'],
    () => {
      const atr = atrInit(14);
      return ([, , high, low, close]) => [atrNext(atr, high, low, close)];
    },
  ],
  [
    ['macd', 'macd_signal', 'macd_hist'],
    () => {
      const macd = macdInit(12, 26, 9);
      return ([, , , , close]) => {
        macdNext(macd, close);
        return [macd.line, macd.signalLine, macd.histogram];
      };
    },
  ],
  [
    ['bb_upper', 'bb_lower'],
    () => {
      const bands = bollingerInit(20, 2);
      return ([, , , , close]) => {
        bollingerNext(bands, close);
        return [bands.upper, bands.lower];
      };
    },
  ],
  [
    ['kc_upper', 'kc_lower'],
    () => {
      const channel = keltnerInit(20, 10, 2);
      return ([, , high, low, close]) => {
        keltnerNext(channel, high, low, close);
        return [channel.upper, channel.lower];
      };
    },
  ],
  [
    ['don_upper', 'don_lower'],
    () => {
      const channel = donchianInit(20);
      return ([, , high, low]) => {
        donchianNext(channel, high, low);
        return [channel.upper, channel.lower];
      };
    },
  ],
  [
    ['supertrend', 'supertrend_dir'],
    () => {
      const trend = superTrendInit(10, 3);
      return ([, , high, low, close]) => [superTrendNext(trend, high, low, close), trend.direction];
    },
  ],
  [
    ['psar', 'psar_dir'],
    () => {
      const psar = psarInit(0.02, 0.2);
      return ([, , high, low, close]) => [psarNext(psar, high, low, close), psar.direction];
    },
  ],
  [
    ['ich_tenkan', 'ich_kijun', 'ich_span_a', 'ich_span_b'],
    () => {
      const ichimoku = ichimokuInit(9, 26, 52, 26);
      return ([, , high, low]) => {
        ichimokuNext(ichimoku, high, low);
        return [ichimoku.tenkan, ichimoku.kijun, ichimoku.spanA, ichimoku.spanB];
      };
    },
  ],
  [
    ['plus_di', 'minus_di', 'adx'],
    () => {
      const dmi = dmiInit(14);
      return ([, , high, low, close]) => {
        dmiNext(dmi, high, low, close);
        return [dmi.plus, dmi.minus, dmi.adx];
      };
    },
  ],
  [
    ['cci14'],
    () => {
      const cci = cciInit(14);
      return ([, , high, low, close]) => [cciNext(cci, high, low, close)];
    },
  ],
  [
    ['stochrsi_k', 'stochrsi_d'],
    () => {
      const stoch = stochRsiInit(14, 14, 3, 3);
      return ([, , , , close]) => {
        stochRsiNext(stoch, close);
        return [stoch.k, stoch.d];
      };
    },
  ],
  [
    ['wt1', 'wt2'],
    () => {
      const wave = waveTrendInit(10, 21, 4);
      return ([, , high, low, close]) => {
        waveTrendNext(wave, high, low, close);
        return [wave.w1, wave.w2];
      };
    },
  ],
  [
    ['vwap96'],
    () => {
      const vwap = vwapInit(96);
      return ([, , high, low, close, volume]) => [vwapNext(vwap, high, low, close, volume)];
    },
  ],
  [
    ['fisher10'],
    () => {
      const fisher = fisherInit(10);
      return ([, , high, low]) => [fisherNext(fisher, high, low)];
    },
  ],
  [
    ['ha_open', 'ha_close'],
    () => {
      const candle = heikinAshiInit();
      return ([, open, high, low, close]) => {
        heikinAshiNext(candle, open, high, low, close);
        return [candle.open, candle.close];
      };
    },
  ],
];

describe('indicator vectors', () => {
  test('every indicator of the file is compared', () => {
    expect(indicators.flatMap(([names]) => names).sort()).toEqual(Object.keys(expected.indicators).sort());
  });

  for (const [names, start] of indicators) {
    test(names.join(', '), () => {
      const feed = start();
      const rows = candles.map((candle) => feed(candle));
      names.forEach((name, column) => {
        const series = rows.map((row) => row[column] as number);
        const { first, ...points } = expected.indicators[name] as Record<string, number>;
        expect(series.findIndex((value) => !Number.isNaN(value))).toBe(first);
        expect(Object.keys(points).length).toBeGreaterThan(2);
        for (const [index, value] of Object.entries(points)) {
          expect(Math.abs((series[Number(index)] as number) - value)).toBeLessThan(1e-6 * Math.abs(value));
        }
      });
    });
  }
});

describe('strategy vectors, raw flags with default parameters', () => {
  test('the file holds the 21 signal strategies', () => {
    expect(Object.keys(expected.strategies)).toHaveLength(21);
  });

  for (const [id, flags] of Object.entries(expected.strategies)) {
    test(id, () => {
      const chosen = chooseStrategy(id, {});
      if (!chosen.ok) throw new Error(`${id} does not ship`);
      const run = chosen.strategy.run(chosen.params, chosen.strategy.init(chosen.params));
      const found: Record<Flag, number[]> = { enterLong: [], exitLong: [], enterShort: [], exitShort: [] };
      for (const [index, open, high, low, close, volume] of candles) {
        const signal = run.onCandle(open, high, low, close, volume);
        for (const flag of Object.keys(found) as Flag[])
          if ((signal.flags & FLAG_BITS[flag]) !== 0) found[flag].push(index);
      }
      expect(found).toEqual(flags);
      expect(found.exitLong.length + found.exitShort.length).toBeGreaterThan(3);
    });
  }
});
