import { describe, expect, test } from 'vitest';
import { LiveHarness } from './liveHarness.ts';

const GRID = { id: 'grid', params: { levels: 6, range_pct: 2 } };
const DCA = { id: 'dca', params: { start: 'now', step: 0.5, take_profit: 0.6, pause: 0 } };

/** Creates a bot whose plan holds coins and offers them. */
function holding(strategy: typeof GRID | typeof DCA): LiveHarness {
  const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [], strategy });
  harness.minutePasses();
  harness.settle();
  expect(pairOf(harness).position).not.toBeNull();
  expect(salesOf(harness)).not.toBe(0);
  return harness;
}

const pairOf = ({ state }: LiveHarness) => state.bot.pairs[0] as NonNullable<(typeof state.bot.pairs)[0]>;
const openOrders = ({ exchange }: LiveHarness) =>
  [...exchange.orders.values()].filter(({ status }) => status === 'open').map(({ request }) => request);
const salesOf = (harness: LiveHarness) => openOrders(harness).filter(({ side }) => side === 'sell').length;

/** Cancels the sales of the bot and sells a share of its coins, as the owner of the account. */
function sellAsOwner(harness: LiveHarness, share: number): void {
  const { exchange, market } = harness;
  for (const [name, { status, request }] of exchange.orders) {
    if (status === 'open' && request.side === 'sell') harness.cancelOrderByHand(name);
  }
  exchange.sellByHand(Math.floor((exchange.held * share) / market.step) * market.step);
  // A difference counts once two snapshots have seen it.
  for (let sync = 0; sync < 2; sync++) {
    harness.settle();
    harness.wait(30_000);
    harness.applySnapshot();
  }
  harness.settle();
}

describe.each([
  ['a grid', GRID],
  ['a DCA deal', DCA],
])('%s whose coins its owner sells', (_name, strategy) => {
  test('ends, leaves no order and waits for its owner', () => {
    const harness = holding(strategy);
    sellAsOwner(harness, 1);
    expect(pairOf(harness)).toMatchObject({ orderPlan: null, position: null, paused: 'external' });
    expect(openOrders(harness)).toEqual([]);
  });

  test('lets a draining bot finish', () => {
    const harness = holding(strategy);
    harness.feed({ type: 'command', at: harness.state.now, command: { type: 'drain' } });
    harness.settle();
    expect(harness.state.bot.status).toBe('stopping');
    sellAsOwner(harness, 1);
    expect(harness.state.bot.status).toBe('finished');
    expect(openOrders(harness)).toEqual([]);
  });
});

test('a grid ends when its owner sells a part, and the exit tables keep the rest', () => {
  const harness = holding(GRID);
  sellAsOwner(harness, 0.5);
  expect(pairOf(harness)).toMatchObject({ orderPlan: null, paused: 'external' });
  expect(pairOf(harness).position).not.toBeNull();
  expect(openOrders(harness)).toEqual([]);
});

test('a DCA deal continues with the part that its owner left', () => {
  const harness = holding(DCA);
  sellAsOwner(harness, 0.5);
  const { orderPlan, paused, holding: rest } = pairOf(harness);
  expect([orderPlan?.kind, paused]).toEqual(['dca', null]);
  const [sale] = openOrders(harness).filter(({ side }) => side === 'sell');
  expect(sale?.quantity).toBe(Math.floor(rest.quantity / harness.market.step) * harness.market.step);
});
