import type { LiveSession } from '@heron/engine/live/eventContext.ts';
import type { LiveRequest } from '@heron/engine/live/executionEvent.ts';
import { createLiveSession, feedLive, nextLiveTimer } from '@heron/engine/live/liveSession.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { expect, test } from 'vitest';
import { MARKETS } from '../arbitraries.ts';
import { options, START } from '../harness.ts';
import { ModelExchange } from './modelExchange.ts';

const MARKET = MARKETS[0] as Market;
const PAIR = MARKET.pair;

/** Feeds timers until the bot places an order, or `until`. */
function placedBy(session: LiveSession, until: number): { at: number; request: LiveRequest } | null {
  for (let at = nextLiveTimer(session); at !== null && at <= until; at = nextLiveTimer(session)) {
    const request = feedLive(session, { type: 'timer', at }).requests.find(({ type }) => type === 'place');
    if (request !== undefined) return { at, request };
  }
  return null;
}

test('an exit that waited for a quote is sent again a second after its first rejection', () => {
  const exchange = new ModelExchange(MARKET, toUnits(10_000), toUnits(60_000));
  const checked = options({ period: '1m', strategy: 'ema_cross' });
  const session = createLiveSession({ id: 'abc123', options: checked, params: {}, allotment: null });
  const size = toUnits(1, MARKET.assetDecimals);
  const quote = (at: number) => {
    const [bid, ask] = [exchange.price - MARKET.tick, exchange.price + MARKET.tick];
    const book = { bid, bidSize: size, ask, askSize: size, last: exchange.price };
    return feedLive(session, { type: 'quote', pair: PAIR, at, ...book });
  };
  let at = START;
  feedLive(session, { type: 'command', at, command: { type: 'start' } });
  feedLive(session, { type: 'account_snapshot', at, account: exchange.snapshot(at, at - 60_000) });
  feedLive(session, { type: 'history', at, market: MARKET, candles: [] });
  quote(at);
  const buy = { type: 'buy', pair: PAIR, order: 'taker', value: toUnits(100), requestId: 'r1' } as const;
  const [bought] = feedLive(session, { type: 'command', at, command: buy }).requests;
  if (bought?.type !== 'place') throw new Error('the bot did not buy');
  exchange.price += MARKET.tick;
  const { clientOrderId } = bought.order;
  exchange.place(bought.order, at, 1);
  const report = exchange.report(clientOrderId);
  feedLive(session, { type: 'accepted', at, clientOrderId, report, fills: exchange.fills });
  // The quotes stop, and the user sells.
  at += 20_000;
  const sell = { type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: 'r2' } as const;
  expect(feedLive(session, { type: 'command', at, command: sell }).requests).toEqual([]);
  expect(placedBy(session, at + 30_000)).toBeNull();
  at += 30_000;
  quote(at);
  const first = placedBy(session, at + 1_000);
  if (first?.request.type !== 'place') throw new Error('the bot did not sell');
  const refused = { clientOrderId: first.request.order.clientOrderId, how: 'rejected', why: 'halted' } as const;
  feedLive(session, { type: 'rejected', at: first.at, ...refused });
  quote(first.at + 500);
  expect(placedBy(session, first.at + 60_000)?.at).toBe(first.at + 1_000);
});
