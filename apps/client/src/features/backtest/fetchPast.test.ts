import type { MarketTerms, PastCandles } from '@heron/contract/bots/entities.ts';
import { describe, expect, test } from 'vitest';
import { ApiError, NoAnswer } from '../../lib/api.ts';
import type { BacktestPlan } from './backtestPlan.ts';
import { fetchPast, type PastSource } from './fetchPast.ts';

const MINUTE = 60_000;
const plan: BacktestPlan = {
  ...{ pairs: ['BTC-USDT', 'ETH-USDT'], period: '1m', candles: 20 },
  ...{ from: 100 * MINUTE, begin: 105 * MINUTE, to: 110 * MINUTE },
};
const terms = (pair: string): MarketTerms => ({ market: { pair } as MarketTerms['market'], funding: null });

/** Returns one candle per minute from `from`, inclusive, to `to`, exclusive. */
function minutes(from: number, to: number): PastCandles {
  const time = Array.from({ length: (to - from) / MINUTE }, (_, i) => from + i * MINUTE);
  const one = time.map((at) => at / MINUTE);
  return { time, open: one, high: one, low: one, close: one, volume: one, until: to };
}

/** Fakes a server that returns four minutes per request. */
function server(given: Partial<PastSource> = {}) {
  const asked: [string, number][] = [];
  const pauses: number[] = [];
  const source: PastSource = {
    async candles(pair, _, from, to) {
      asked.push([pair, from / MINUTE]);
      return minutes(from, Math.min(to, from + 4 * MINUTE));
    },
    terms: async (pair) => terms(pair),
    pause: async (ms) => void pauses.push(ms),
    ...given,
  };
  return { source, asked, pauses };
}

const going = () => new AbortController().signal;

describe('the data of a backtest', () => {
  test('is fetched pair by pair in parts, and its progress is reported', async () => {
    const { source, asked } = server();
    const reported: number[] = [];
    const pairs = await fetchPast(plan, source, going(), (done) => reported.push(done));
    expect(
      pairs.map(({ market, candleMs, candles }) => [market.pair, candleMs, [...candles.time], candles.length]),
    ).toEqual(['BTC-USDT', 'ETH-USDT'].map((pair) => [pair, MINUTE, minutes(plan.from, plan.to).time, 10]));
    expect(pairs[0]?.candles.close[9]).toBe(109);
    expect(pairs[0]).not.toHaveProperty('funding');
    expect(asked).toEqual(['BTC-USDT', 'ETH-USDT'].flatMap((pair) => [100, 104, 108].map((from) => [pair, from])));
    expect(reported).toEqual([4, 8, 10, 14, 18, 20]);
  });

  test('contains the funding of a future as columns', async () => {
    const funding = { time: [100 * MINUTE], rate: [0.0001], mark: [0] };
    const { source } = server({ terms: async (pair) => ({ ...terms(pair), funding }) });
    const [first] = await fetchPast(plan, source, going(), () => {});
    expect(first?.funding).toEqual({
      time: Float64Array.of(100 * MINUTE),
      rate: Float64Array.of(0.0001),
      mark: Float64Array.of(0),
    });
  });

  test('is requested again after the delay that the server or the exchange requires', async () => {
    let questions = 0;
    const { source, pauses } = server({
      async candles(_, __, from, to) {
        questions += 1;
        if (questions === 1) throw new ApiError('too_many_requests', 429, '', { seconds: 7 });
        return questions < 4 ? minutes(from, from) : minutes(from, to);
      },
    });
    const pairs = await fetchPast(plan, source, going(), () => {});
    expect(pairs[0]?.candles.length).toBe(10);
    expect(pauses).toEqual([7_000, 1_000, 1_000]);
  });

  test('is requested again while the worker of the exchange starts, up to a limit', async () => {
    const recovering = new ApiError('unavailable', 503, '', {});
    let questions = 0;
    const { source, pauses } = server({
      async candles(_, __, from, to) {
        questions += 1;
        if (questions <= 3) throw recovering;
        return minutes(from, to);
      },
    });
    const pairs = await fetchPast(plan, source, going(), () => {});
    expect([pairs.length, pauses]).toEqual([2, [3_000, 3_000, 3_000]]);
    const { source: gone, pauses: waited } = server({ candles: () => Promise.reject(recovering) });
    await expect(fetchPast(plan, gone, going(), () => {})).rejects.toBe(recovering);
    expect(waited).toHaveLength(3);
  });

  test('fails when nothing arrives for long, or the exchange is away', async () => {
    const { source, pauses } = server({ candles: async (_, __, from) => minutes(from, from) });
    await expect(fetchPast(plan, source, going(), () => {})).rejects.toBeInstanceOf(NoAnswer);
    expect(pauses).toHaveLength(7);
    const away = new ApiError('exchange_unreachable', 503, '', {});
    const { source: gone } = server({ candles: () => Promise.reject(away) });
    await expect(fetchPast(plan, gone, going(), () => {})).rejects.toBe(away);
  });

  test('is not requested any more after a stop', async () => {
    const stop = new AbortController();
    const { source, asked } = server();
    await expect(fetchPast(plan, source, stop.signal, () => stop.abort())).rejects.toThrow('aborted');
    expect(asked).toHaveLength(1);
  });
});
