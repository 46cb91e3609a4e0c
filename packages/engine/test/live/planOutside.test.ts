import type { AccountSnapshot } from '@heron/engine/live/executionEvent.ts';
import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OrderReport, OwnFill } from '@heron/engine/live/report.ts';
import { describe, expect, test } from 'vitest';
import { LiveHarness } from './liveHarness.ts';

const GRID = { id: 'grid', params: { levels: 6, range_pct: 2 } };
const DCA = { id: 'dca', params: { start: 'now', step: 0.5, take_profit: 0.6, pause: 0 } };

/** Creates a bot whose plan holds coins and offers them. */
function holding(strategy: typeof GRID | typeof DCA): LiveHarness {
  const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [], strategy });
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
    expect(pairOf(harness)).toMatchObject({ orderPlan: null, position: null, paused: 'external', phase: 'sold' });
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

/** Reconciles twice, a minute apart. @param given overrides of the snapshots */
function compareTwice(harness: LiveHarness, given: (snapshot: AccountSnapshot) => Partial<AccountSnapshot>): void {
  for (let sync = 0; sync < 2; sync++) {
    harness.wait(60_000);
    const at = harness.state.now;
    const snapshot = harness.exchange.snapshot(at, at - 3_600_000);
    harness.feed({ type: 'account_snapshot', at, account: { ...snapshot, ...given(snapshot) } });
  }
}

const adjustments = ({ journal }: LiveHarness) => journal.filter(({ data }) => data.what === 'adjust').length;

test('a grid goes on while fills of its own sale are late', () => {
  const harness = holding(GRID);
  const [name, { request }] = [...harness.exchange.orders].find(
    ([, { status, request: own }]) => status === 'open' && own.side === 'sell',
  ) as [string, { request: OrderRequest }];
  const updates = harness.exchange.fill(name, request.quantity, request.price, harness.state.now);
  const [fill, report] = updates as [OwnFill, OrderReport];
  harness.feed({ type: 'order_report', at: harness.state.now, report });
  compareTwice(harness, ({ fills }) => ({ fills: fills.filter(({ id }) => id !== fill.id) }));
  expect([pairOf(harness).orderPlan?.kind, adjustments(harness)]).toEqual(['grid', 0]);
  harness.feed({ type: 'fills', at: harness.state.now, fills: [fill] });
  expect(pairOf(harness)).toMatchObject({ orderPlan: { kind: 'grid' }, paused: null });
});

test('a grid goes on without dust that it does not offer', () => {
  const harness = holding({ ...GRID, params: { ...GRID.params, levels: 12 } });
  const { exchange, market } = harness;
  expect(exchange.sellByHand(market.step)).toBe(market.step);
  compareTwice(harness, () => ({}));
  expect([adjustments(harness), pairOf(harness).orderPlan?.kind, pairOf(harness).paused]).toEqual([1, 'grid', null]);
});

test('a grid goes on when the missing coins may be those of another bot', () => {
  const harness = holding(GRID);
  compareTwice(harness, ({ pairs }) => ({
    pairs: pairs.map((pair) => ({ ...pair, others: Math.floor(pair.quantity / 2) })),
  }));
  expect([adjustments(harness), pairOf(harness).orderPlan?.kind, pairOf(harness).paused]).toEqual([1, 'grid', null]);
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

test('a grid ends although another bot holds a little of the coin', () => {
  const harness = holding(GRID);
  const { exchange, market } = harness;
  for (const [name, { status, request }] of exchange.orders) {
    if (status === 'open' && request.side === 'sell') harness.cancelOrderByHand(name);
  }
  exchange.sellByHand(Math.floor(exchange.held / market.step) * market.step);
  harness.settle();
  compareTwice(harness, ({ pairs }) => ({ pairs: pairs.map((pair) => ({ ...pair, others: 100, quantity: 100 })) }));
  expect(pairOf(harness)).toMatchObject({ orderPlan: null, paused: 'external' });
});
