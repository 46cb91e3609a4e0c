import { createLiveSession, feedLive, restoreLive } from '@heron/engine/live/liveSession.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { expect, test } from 'vitest';
import { MARKETS } from '../arbitraries.ts';
import { options, START } from '../harness.ts';
import { ModelExchange } from './modelExchange.ts';

const MARKET = MARKETS[0] as Market;
const PAIR = MARKET.pair;
const TEN_MINUTES = 600_000;

/** Creates the snapshot of a host without a cursor of the pair, which begins a minute ago. */
function accountEvent(exchange: ModelExchange, state: LiveState, at: number) {
  const since = state.cursors[PAIR]?.at ?? at - 60_000;
  return { type: 'account_snapshot', at, account: exchange.snapshot(at, since) } as const;
}

test('the first fill is booked by a take-over more than ten minutes later', () => {
  const exchange = new ModelExchange(MARKET, toUnits(10_000), toUnits(60_000));
  const checked = options({ period: '1m', strategy: 'ema_cross' });
  const session = createLiveSession({ id: 'abc123', options: checked, params: {}, allotment: null });
  let at = START;
  feedLive(session, { type: 'command', at, command: { type: 'start' } });
  // As at every first start, the first snapshot comes before the pair is known.
  feedLive(session, accountEvent(exchange, session.state, at));
  feedLive(session, { type: 'history', at, market: MARKET, candles: [] });
  const size = toUnits(1, MARKET.assetDecimals);
  const [bid, ask] = [exchange.price - MARKET.tick, exchange.price + MARKET.tick];
  feedLive(session, { type: 'quote', pair: PAIR, at, bid, bidSize: size, ask, askSize: size, last: exchange.price });
  const command = { type: 'buy', pair: PAIR, order: 'taker', value: toUnits(100), requestId: 'r1' } as const;
  const { requests } = feedLive(session, { type: 'command', at, command });
  const [request] = requests;
  if (request?.type !== 'place') throw new Error('the bot did not buy');
  const saved = JSON.stringify(session.state);
  exchange.price = ask;
  exchange.place(request.order, at, 1);
  // The program crashes before the response, and no take-over happens for long.
  at += TEN_MINUTES;
  const next = restoreLive(JSON.parse(saved) as LiveState);
  feedLive(next, { type: 'resumed', at });
  const report = exchange.report(request.order.clientOrderId);
  if (report === null) throw new Error('the exchange has not taken the order');
  feedLive(next, { type: 'order_status', at, report });
  feedLive(next, accountEvent(exchange, next.state, at));
  for (let round = 0; round < 10; round++) {
    at += 1_000;
    for (const asked of feedLive(next, { type: 'timer', at }).requests) {
      if (asked.type !== 'query_fills') continue;
      const fills = exchange.fills.filter((fill) => fill.at >= asked.since.at);
      feedLive(next, { type: 'fills', at, fills });
    }
  }
  expect(exchange.held).toBeGreaterThan(0);
  expect(next.state.orders).toEqual([]);
  expect(next.state.bot.pairs[0]?.holding.quantity).toBe(exchange.held);
  expect(next.state.bot.wallet.quote).toBe(exchange.cash);
});
