import { createLiveSession, feedLive } from '@heron/engine/live/liveSession.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { expect, test } from 'vitest';
import { MARKETS } from '../arbitraries.ts';
import { options, START } from '../harness.ts';
import { ModelExchange } from './modelExchange.ts';

const MARKET = MARKETS[0] as Market;
const PAIR = MARKET.pair;

test('an earlier fill in the second of the cursor is read again and booked once', () => {
  const exchange = new ModelExchange(MARKET, toUnits(10_000), toUnits(60_000));
  const checked = options({ period: '1m', strategy: 'manual' });
  const session = createLiveSession({ id: 'abc123', options: checked, params: {}, allotment: null });
  let at = START;
  const applySnapshot = () =>
    feedLive(session, {
      ...{ type: 'account_snapshot', at },
      account: exchange.snapshot(at, session.state.cursors[PAIR]?.at ?? START),
    });
  const buy = (requestId: string) => {
    const command = { type: 'buy', pair: PAIR, order: 'taker', value: toUnits(100), requestId } as const;
    const [request] = feedLive(session, { type: 'command', at, command }).requests;
    if (request?.type !== 'place') throw new Error('the bot did not buy');
    for (const update of exchange.place(request.order, at, 1).updates) {
      feedLive(
        session,
        'status' in update ? { type: 'order_report', at, report: update } : { type: 'fills', at, fills: [update] },
      );
    }
  };
  const quote = () => {
    const { price } = exchange;
    const size = toUnits(1, MARKET.assetDecimals);
    const best = { bid: price - MARKET.tick, bidSize: size, ask: price + MARKET.tick, askSize: size, last: price };
    feedLive(session, { type: 'quote', pair: PAIR, at, ...best });
  };
  feedLive(session, { type: 'command', at, command: { type: 'start' } });
  applySnapshot();
  feedLive(session, { type: 'history', at, market: MARKET, candles: [] });
  quote();
  exchange.price += MARKET.tick;
  buy('r1');
  at += 300;
  buy('r2');
  const held = exchange.held;
  expect(session.state.bot.pairs[0]?.holding.quantity).toBe(held);
  const notes: Note[] = [];
  // The cursor moves between the two fills.
  for (at = START + 60_100; at < START + 61_500; at += 100) {
    quote();
    notes.push(...applySnapshot().notes);
  }
  expect(notes.filter(({ kind }) => kind === 'external')).toEqual([]);
  expect(session.state.bot.pairs[0]?.holding.quantity).toBe(held);
  expect(session.state.bot.wallet.quote).toBe(exchange.cash);
});
