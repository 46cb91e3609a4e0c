import { toUnits } from '@heron/engine/money/units.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { createPaperSession, feedSession } from '@heron/engine/paper/paperSession.ts';
import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import { candleAt, MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import { expect, test } from 'vitest';
import { tradeRows } from './tradeRow.ts';

const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 1);
const { pair } = MARKET;

test('a partially filled grid order is a trade that is still open', () => {
  const checked = validateOptions({ watch_pairs: pair, period: '1m', strategy: 'grid', order_type: 'taker' });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const session = createPaperSession({ id: 'abc123', options: checked.options, params: {} });
  feedSession(session, { type: 'command', at: START, command: { type: 'start' } });
  const candles = Array.from({ length: 100 }, (_, i) => candleAt(START - (100 - i) * MINUTE));
  feedSession(session, { type: 'history', at: START, market: MARKET, candles });
  const quote = (at: number, price: number) =>
    feedSession(session, {
      type: 'quote',
      pair,
      at,
      bid: toUnits(price),
      bidSize: 0,
      ask: toUnits(price + 0.01),
      askSize: 0,
      last: toUnits(price),
    });
  quote(START + MINUTE, 1_000);
  feedSession(session, { type: 'candle', at: START + MINUTE, pair, candle: { ...candleAt(START), close: 1_000 } });
  feedSession(session, { type: 'timer', at: START + MINUTE + 1_000 });
  const [state] = session.state.bot.pairs;
  const highest = state?.planOrders
    .filter(({ side }) => side === 'buy')
    .sort((a, b) => (b.order?.price ?? 0) - (a.order?.price ?? 0))[0];
  const order = highest?.order;
  if (!highest || !order) throw new Error('the grid has laid no buy');
  const resting = session.state.exchange.orders.find(({ price }) => price === order.price);
  if (!resting) throw new Error('the order is not on the book');
  // The order is first in the queue of its price.
  resting.ahead = 0;
  const { notes } = feedSession(session, {
    type: 'trade',
    pair,
    at: START + MINUTE + 2_000,
    price: order.price,
    quantity: MARKET.step,
  });
  expect(notes.map(({ kind }) => kind)).toContain('fill');
  expect(tradeRows(session, notes)).toMatchObject([
    { id: `${highest.id}`, kind: 'entry', reason: PLAN_REASON, quantity: '0.00001', closedAt: null },
  ]);
});
