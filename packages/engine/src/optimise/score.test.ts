import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Figures } from './figures.ts';
import { METRICS, rankingOf, scoreOf } from './score.ts';
import { summaryOf } from './summary.ts';
import { judgeWindow, totalOf, windowsOf } from './walkForward.ts';

const DAY = 86_400_000;

function figures(given: Partial<Figures>): Figures {
  return {
    netProfit: 0,
    netProfitPercent: 0,
    annualReturn: 0,
    maxDrawdown: 0,
    sharpe: 0,
    sortino: null,
    calmar: null,
    profitFactor: null,
    trades: 100,
    wins: 0,
    losses: 0,
    ...given,
  };
}

const anyFigures = fc
  .record({
    netProfit: fc.integer({ min: -5, max: 5 }),
    sharpe: fc.integer({ min: -3, max: 3 }),
    sortino: fc.option(fc.integer({ min: -3, max: 3 })),
    calmar: fc.option(fc.integer({ min: -3, max: 3 })),
    profitFactor: fc.option(fc.integer({ min: 0, max: 3 })),
    trades: fc.integer({ min: 0, max: 20 }),
  })
  .map((given) => figures({ ...given, netProfitPercent: given.netProfit }));

describe('the ranking of sets', () => {
  test('sorts from highest to lowest score, then those without one, and keeps ties', () => {
    fc.assert(
      fc.property(fc.array(anyFigures), fc.constantFrom(...METRICS), fc.nat({ max: 10 }), (all, by, minTrades) => {
        const aim = { by, minTrades };
        const ranking = rankingOf(all, aim);
        expect(ranking.toSorted((a, b) => a - b)).toEqual(all.map((_, i) => i));
        for (let i = 1; i < ranking.length; i++) {
          const [a, b] = [ranking[i - 1] as number, ranking[i] as number];
          const [before, after] = [scoreOf(all[a] as Figures, aim), scoreOf(all[b] as Figures, aim)];
          if (before === after) expect(a).toBeLessThan(b);
          else if (after !== null) expect(before).toBeGreaterThan(after);
        }
      }),
    );
  });

  test('a set with too few trades has no score, however much it made', () => {
    const all = [figures({ netProfit: 9, trades: 4 }), figures({ netProfit: -1, trades: 5 })];
    expect(rankingOf(all, { by: 'netProfit', minTrades: 5 })).toEqual([1, 0]);
    expect(rankingOf(all, { by: 'netProfit', minTrades: 0 })).toEqual([0, 1]);
  });
});

describe('the summary of sets', () => {
  test('shows the best beside the median and the share with a profit', () => {
    const all = [3, -1, 8, -2].map((profit) => figures({ netProfit: profit, netProfitPercent: 10 * profit }));
    expect(summaryOf(all, { by: 'netProfit', minTrades: 0 })).toEqual({
      tried: 4,
      scored: 4,
      best: 8,
      median: 3,
      profitableShare: 0.5,
      medianProfitPercent: 30,
    });
  });

  test('has no best where no set has a score', () => {
    expect(summaryOf([figures({ trades: 1 })], { by: 'sharpe', minTrades: 2 })).toMatchObject({
      best: null,
      median: null,
    });
    expect(summaryOf([], { by: 'sharpe', minTrades: 2 })).toMatchObject({ tried: 0, profitableShare: 0 });
  });
});

describe('walk-forward', () => {
  test('tests follow each other without gap or overlap, each right after its train', () => {
    const day = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 400 }), day, day, (start, length, train, test) => {
        const begin = start * 60_000;
        const end = begin + length * DAY;
        const windows = windowsOf(begin, end, train * DAY, test * DAY);
        expect(windows).toHaveLength(Math.max(0, Math.floor((length - train) / test)));
        windows.forEach((window, i) => {
          expect(window.train.to - window.train.from).toBe(train * DAY);
          expect(window.test).toEqual({ from: window.train.to, to: window.train.to + test * DAY });
          expect(window.test.from).toBe(i === 0 ? begin + train * DAY : windows[i - 1]?.test.to);
          expect(window.test.to).toBeLessThanOrEqual(end);
        });
      }),
    );
  });

  const window = { train: { from: 0, to: 1 }, test: { from: 1, to: 2 } };
  const profits = (values: number[]) => values.map((netProfit) => figures({ netProfit, netProfitPercent: netProfit }));

  test('the set is chosen on train alone, and its rank on test shows the share of luck', () => {
    const result = judgeWindow(window, profits([5, 9, 1]), profits([2, -4, 3]), { by: 'netProfit', minTrades: 10 });
    expect(result).toMatchObject({ chosen: 1, testRank: 3 });
    expect(result.inSample).toMatchObject({ best: 9, median: 5, profitableShare: 1 });
    expect(result.outOfSample).toMatchObject({ best: 3, median: 2, profitableShare: 2 / 3 });
  });

  test('nothing is chosen where no set has traded enough on train', () => {
    const result = judgeWindow(window, profits([5, 9]), profits([1, 2]), { by: 'netProfit', minTrades: 1_000 });
    expect(result).toMatchObject({ chosen: null, testRank: null });
  });

  test('the total compounds the tests, and a window without a choice changes nothing', () => {
    const [ten, loss, gain] = profits([10, -50, 20]) as [Figures, Figures, Figures];
    const total = totalOf([{ train: gain, test: ten }, null, { train: gain, test: loss }]);
    expect(total).toMatchObject({ windows: 3, profitable: 1, meanTrainPercent: 20, meanTestPercent: -20 });
    expect(total.compoundedPercent).toBeCloseTo(-45, 10);
  });
});
