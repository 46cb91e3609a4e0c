import type { LiveSession } from '@heron/engine/live/eventContext.ts';
import type { LiveRequest } from '@heron/engine/live/executionEvent.ts';
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

test('a key that has gained withdrawal permission blocks entries, but no exits', () => {
  const exchange = new ModelExchange(MARKET, toUnits(10_000), toUnits(60_000));
  const checked = options({ period: '1m', poll_scan_time: 1_000, order_type: 'taker' });
  let session: LiveSession = createLiveSession({ id: 'abc123', options: checked, params: {}, allotment: null });
  let now = START;
  const feed = (event: Parameters<typeof feedLive>[1]) => {
    const { notes, result, requests } = feedLive(session, event);
    for (const request of requests) perform(request);
    return { notes, result };
  };
  const perform = (request: LiveRequest) => {
    if (request.type !== 'place' && request.type !== 'cancel') return;
    const { updates } =
      request.type === 'place' ? exchange.place(request.order, now, 1) : exchange.cancel(request.clientOrderId, now);
    for (const each of updates) {
      feed(
        'status' in each ? { type: 'order_report', at: now, report: each } : { type: 'fills', at: now, fills: [each] },
      );
    }
  };
  const quote = () => {
    now += 1_000;
    const [bid, ask] = [exchange.price - MARKET.tick, exchange.price + MARKET.tick];
    const size = toUnits(1, MARKET.assetDecimals);
    feed({ type: 'quote', pair: PAIR, at: now, bid, bidSize: size, ask, askSize: size, last: exchange.price });
  };
  const applySnapshot = () =>
    feed({ type: 'account_snapshot', at: now, account: exchange.snapshot(now, START - 1_000) });
  const buy = (requestId: string, order: 'maker' | 'taker') =>
    feed({
      type: 'command',
      at: now,
      command: { type: 'buy', pair: PAIR, order, value: toUnits(500), requestId },
    }).result;

  feed({ type: 'command', at: now, command: { type: 'start' } });
  applySnapshot();
  feed({ type: 'history', at: now, market: MARKET, candles: [] });
  quote();
  expect(buy('a', 'taker')).toMatchObject({ ok: true });
  quote();
  expect(buy('b', 'maker')).toMatchObject({ ok: true });
  const countOpen = () => [...exchange.orders.values()].filter(({ status }) => status === 'open').length;
  expect([exchange.held > 0, countOpen()]).toEqual([true, 1]);

  const blocked = feed({ type: 'key_state', at: now, state: 'may_withdraw' });
  expect(blocked.notes[0]).toMatchObject({ kind: 'external', data: { what: 'key_may_withdraw' } });
  expect(countOpen()).toBe(0);
  expect(feed({ type: 'key_state', at: now, state: 'may_withdraw' }).notes).toEqual([]);
  applySnapshot();
  quote();
  expect(buy('c', 'taker')).toMatchObject({ ok: false, gate: 'key_may_withdraw' });
  // The block survives a restart.
  session = restoreLive(JSON.parse(JSON.stringify(session.state)) as LiveState);
  feed({ type: 'resumed', at: now });
  applySnapshot();
  feed({ type: 'history', at: now, market: MARKET, candles: [] });
  quote();
  expect(buy('d', 'taker')).toMatchObject({ ok: false, gate: 'key_may_withdraw' });
  const sell = { type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: 'e' } as const;
  expect(feed({ type: 'command', at: now, command: sell }).result).toMatchObject({ ok: true });
  // A quantity below the step size cannot be sold.
  expect(exchange.held).toBeLessThan(MARKET.step);

  feed({ type: 'key_state', at: now, state: 'fine' });
  quote();
  expect(buy('f', 'taker')).toMatchObject({ ok: true });
});
