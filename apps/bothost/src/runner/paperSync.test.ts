import { marketOf } from '@heron/engine/market/market.ts';
import { percentRatio, toUnits } from '@heron/engine/money/units.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { createPaperSession, feedSession, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { FundingEvent } from '@heron/exchanges/feed/fundingTracker.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPaperSync } from './paperSync.ts';

const PAIR = 'BTC-USDT';
const START = Date.UTC(2026, 0, 1);
const market = marketOf({
  ...{ pair: PAIR, tickSize: 0.1, stepSize: 0.001, minQuantity: 0.001, maxQuantity: 1_000, minNotional: 5 },
});
const PAYMENT: FundingEvent = {
  ...{ type: 'funding', at: START, pair: PAIR, id: `${START}`, rate: percentRatio(0.01), mark: toUnits(60_000) },
};

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

function sessionOn(exchange: string): PaperSession {
  const checked = validateOptions({ exchange, watch_pairs: PAIR, order_type: 'taker', sync_trade_time: 30_000 });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const session = createPaperSession({ id: 'abc123', options: checked.options, params: {} });
  const directory = { bid: toUnits(60_000), ask: toUnits(60_000.1), bidSize: 0, askSize: 0, last: toUnits(60_000) };
  feedSession(session, { type: 'command', at: START, command: { type: 'start' } });
  feedSession(session, { type: 'history', at: START, market, candles: [] });
  feedSession(session, { type: 'quote', pair: PAIR, at: START, ...directory });
  const command = { type: 'buy', pair: PAIR, order: 'taker', value: toUnits(1_000), requestId: 'r' } as const;
  feedSession(session, { type: 'command', at: START, command });
  feedSession(session, { type: 'timer', at: START + 200 });
  expect(session.state.bot.pairs[0]?.position).not.toBeNull();
  return session;
}

test('paper funding is requested in each interval, and missed payments are booked once', async () => {
  const session = sessionOn('binanceusdm');
  const payments = vi.fn(async () => [PAYMENT]);
  const notes: string[] = [];
  const onPayment = (payment: FundingEvent) => {
    for (const { kind } of feedSession(session, { ...payment, at: Date.now() }).notes) notes.push(kind);
  };
  const end = startPaperSync(session, { payments }, onPayment, { info: vi.fn() });
  await vi.advanceTimersByTimeAsync(29_900);
  expect(payments).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_200);
  expect(payments).toHaveBeenCalledTimes(3);
  expect(notes.filter((kind) => kind === 'funding')).toHaveLength(1);
  end();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(payments).toHaveBeenCalledTimes(3);
});

test('a venue that does not respond is retried in the next interval', async () => {
  const session = sessionOn('binanceusdm');
  const payments = vi.fn(async (): Promise<FundingEvent[]> => {
    throw new Error('no answer');
  });
  const info = vi.fn();
  const end = startPaperSync(session, { payments }, () => {}, { info });
  await vi.advanceTimersByTimeAsync(60_100);
  expect([payments.mock.calls.length, info.mock.calls.length]).toEqual([2, 2]);
  end();
});

test('nothing is requested on spot', async () => {
  const session = sessionOn('binance');
  const payments = vi.fn(async () => [PAYMENT]);
  const end = startPaperSync(session, { payments }, () => {}, { info: vi.fn() });
  await vi.advanceTimersByTimeAsync(90_100);
  expect(payments).not.toHaveBeenCalled();
  end();
});
