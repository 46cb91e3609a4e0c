import util from 'node:util';
import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { loadPeer } from './peers.ts';

interface Bar {
  readonly time: Date;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

interface AveragedBar extends Bar {
  readonly fast: number;
  readonly slow: number;
}

interface DataFrame<T> {
  toArray(): T[];
}

interface DataForge {
  readonly DataFrame: new <T>(values: readonly T[]) => DataFrame<T>;
}

interface Trade {
  readonly growth: number;
}

interface GradeMark {
  backtest(
    strategy: {
      prepIndicators(given: { inputSeries: DataFrame<Bar> }): DataFrame<AveragedBar>;
      entryRule(enter: () => void, given: { bar: AveragedBar }): void;
      exitRule(exit: () => void, given: { bar: AveragedBar }): void;
    },
    bars: DataFrame<Bar>,
  ): Trade[];
  computeEquityCurve(capital: number, trades: Trade[]): number[];
}

/**
 * Prepares `grademark` (https://github.com/grademark/grademark) for an EMA cross: in while the fast mean is above the
 * slow one. The means are computed by a bare loop, which is faster than the library that its documentation uses for them.
 *
 * @returns runs it once and counts the fills
 */
export async function grademarkEmaCross(
  candles: CandleColumns,
  fast: number,
  slow: number,
  warmup: number,
): Promise<() => number> {
  // computeEquityCurve calls util.isArray, which Node 23 removed.
  Object.assign(util, { isArray: Array.isArray });
  const { backtest, computeEquityCurve } = await loadPeer<GradeMark>('grademark');
  const { DataFrame } = await loadPeer<DataForge>('data-forge');
  const bars = new DataFrame<Bar>(
    Array.from(candles.time, (time, i) => ({
      time: new Date(time),
      open: candles.open[i] as number,
      high: candles.high[i] as number,
      low: candles.low[i] as number,
      close: candles.close[i] as number,
    })),
  );
  return () => {
    const trades = backtest(
      {
        prepIndicators: ({ inputSeries }) => new DataFrame(withMeans(inputSeries.toArray(), fast, slow).slice(warmup)),
        entryRule: (enter, { bar }) => {
          if (bar.fast > bar.slow) enter();
        },
        exitRule: (exit, { bar }) => {
          if (bar.fast < bar.slow) exit();
        },
      },
      bars,
    );
    const curve = computeEquityCurve(10_000, trades);
    return 2 * (curve.length - 1);
  };
}

function withMeans(bars: readonly Bar[], fast: number, slow: number): AveragedBar[] {
  let fastMean = 0;
  let slowMean = 0;
  return bars.map((bar, i) => {
    fastMean += (i < fast ? 1 / (i + 1) : 2 / (fast + 1)) * (bar.close - fastMean);
    slowMean += (i < slow ? 1 / (i + 1) : 2 / (slow + 1)) * (bar.close - slowMean);
    return { ...bar, fast: fastMean, slow: slowMean };
  });
}
