import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNS } from '../../test/invariants/runs.ts';
import { inputOf, randomBacktest } from '../../test/randomBacktest.ts';
import { runBacktest } from '../backtest/backtest.ts';
import { tradesOf } from '../backtest/runRecord.ts';
import { toUnits } from '../money/units.ts';
import { byMonth, byPair, byReason } from './breakdown.ts';
import { backtestDocument } from './document.ts';
import { realisedOf, unrealisedOf } from './results.ts';

test('every breakdown adds up to the exact realised total, and to the exact net profit', () => {
  const seen = { exits: 0, funding: 0, months: 0, liquidations: 0, insurance: 0 };
  fc.assert(
    fc.property(randomBacktest, (given) => {
      const input = inputOf(given);
      const result = runBacktest(input);
      const { record, bot, equity } = result;
      const { pairs, wallet } = bot.state;
      const trades = [...tradesOf(record, new Map(input.pairs.map(({ market }) => [market.pair, market])))];
      const realised = realisedOf(pairs);
      for (const breakdown of [byPair(trades, record), byReason(trades, record), byMonth(trades, record)]) {
        const shares = Object.values(breakdown);
        expect(shares.reduce((sum, { net }) => sum + net, 0)).toBe(realised);
        const exits = trades.filter(({ kind }) => kind === 'exit').length + record.liquidations.length;
        expect(shares.reduce((sum, share) => sum + share.trades, 0)).toBe(exits);
      }
      const own = byPair(trades, record);
      for (const { pair, holding } of pairs) expect(own[pair]?.net ?? 0).toBe(holding.realised);
      expect((equity.at(-1) ?? wallet.start) - wallet.start).toBe(realised + unrealisedOf(pairs) + wallet.insurance);

      const document = backtestDocument(result, input, { venue: 'Binance spot', money: 'simulated money' });
      const { metrics } = document;
      const sum = (figures: number[]) => figures.reduce((total, figure) => total + toUnits(figure), 0);
      for (const key of ['realised', 'unrealised', 'fees', 'slippage', 'funding'] as const) {
        expect(sum(document.pairs.map((pair) => pair[key]))).toBe(toUnits(metrics[key]));
      }
      for (const key of ['trades', 'wins', 'losses', 'liquidations', 'candles'] as const) {
        const all = key === 'candles' ? document.candles : metrics[key];
        expect(document.pairs.reduce((total, pair) => total + pair[key], 0)).toBe(all);
      }
      expect(document.trades.length).toBe(metrics.trades);
      expect(document.fills.length).toBe(metrics.fills);
      expect(JSON.parse(JSON.stringify(document))).toEqual(document);
      seen.exits += trades.length;
      seen.funding += record.funding.length;
      seen.liquidations += record.liquidations.length;
      seen.insurance += wallet.insurance > 0 ? 1 : 0;
      seen.months += Object.keys(metrics.byMonth).length > 1 ? 1 : 0;
    }),
    { numRuns: RUNS },
  );
  // The runs produced every kind of result.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
}, 300_000);
