import { floorStep, floorTick, notional } from '@heron/engine/market/market.ts';
import { mulDiv, type Price, type Quantity, SCALE, toUnits } from '@heron/engine/money/units.ts';
import { PLAN_SELLS } from '@heron/engine/state/protectiveStopState.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { options } from '../harness.ts';
import { RUNS } from '../invariants/runs.ts';
import { CAPITAL, LiveHarness, MARKET, MOVE, type Move } from './liveHarness.ts';

const MOVES = fc.array(MOVE, { minLength: 30, maxLength: 250, size: 'max' });

test('once all has arrived, a position has exactly one correct stop, or a reason', () => {
  let stops = 0;
  let partial = 0;
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom(null, CAPITAL / 2),
      fc.constantFrom('market' as const, 'limit' as const),
      MOVES,
      (maker, share, stop, moves) => {
        const harness = new LiveHarness({ maker, share, stop });
        for (const move of moves) harness.move(move);
        const state = harness.settle();
        const { exchange, market } = harness;
        const [pair] = state.bot.pairs;
        const open = [...exchange.orders.values()].filter(
          ({ status, request }) => status === 'open' && request.trigger,
        );
        const gap = state.stops[market.pair]?.gap ?? null;
        const { position, holding } = pair as NonNullable<typeof pair>;
        const isUsed = (row: number) => position !== null && (position.fired.stopSell & (1 << row)) !== 0;
        if (position === null) {
          expect(open).toEqual([]);
          return;
        }
        if (open.length === 0) {
          const rows = state.bot.options.stop_sell;
          expect(['no_row', 'row_fired', 'below_minimum']).toContain(gap);
          if (gap === 'no_row') expect(rows).toEqual([]);
          if (gap === 'row_fired') expect(rows.filter((_, i) => !isUsed(i))).toEqual([]);
          return;
        }
        stops += 1;
        expect(gap).toBeNull();
        expect(open).toHaveLength(1);
        const { request, filled } = open[0] as (typeof open)[number];
        const rows = state.bot.options.stop_sell.filter((_, i) => !isUsed(i)).sort((a, b) => b.profit - a.profit);
        const outermost = rows[0]?.profit ?? 0;
        const level = mulDiv(holding.entryPrice, SCALE - toUnits(outermost / 100), SCALE, 'down');
        expect(request.trigger).toEqual({ price: floorTick(market, level), by: 'last' });
        expect(exchange.price).toBeGreaterThan(request.trigger?.price ?? 0);
        const remaining = request.quantity - filled;
        expect(remaining).toBeLessThanOrEqual(exchange.held);
        const expected = quantityOfRows(rows, exchange.held, request.trigger?.price ?? 0);
        expect(remaining).toBe(expected);
        if (expected < floorStep(market, exchange.held)) partial += 1;
      },
    ),
    { numRuns: RUNS / 2 },
  );
  expect(stops).toBeGreaterThan(RUNS / 50);
  expect(partial).toBeGreaterThan(RUNS / 100);
});

/** Returns the quantity that rows of `stop_sell` sell together: all of it where the remainder would be below `min_buy_size`. */
function quantityOfRows(rows: readonly { stop: number }[], held: Quantity, price: Price): Quantity {
  const kept = rows.reduce((share, { stop }) => share * (100 - stop), 1);
  const sold = floorStep(MARKET, Math.floor((held * (100 ** rows.length - kept)) / 100 ** rows.length));
  const minRemainder = toUnits(options().min_buy_size);
  return notional(MARKET, price, held - sold) < minRemainder ? floorStep(MARKET, held) : sold;
}

test('a position above the maximum order gets a partial stop; the bot sells the rest', () => {
  const most = toUnits(0.005, MARKET.assetDecimals);
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market', most });
  for (let i = 0; i < 2; i++) {
    harness.buy(290);
    harness.settle();
  }
  const { exchange, market } = harness;
  expect(exchange.held).toBeGreaterThan(most);
  const [stop] = [...exchange.orders.values()].filter(({ status }) => status === 'open');
  expect(stop?.request.quantity).toBe(most);
  const partialStops = harness.journal.filter(({ data }) => data.what === 'stop_in_part');
  const held = Math.floor(exchange.held / market.step) * market.step;
  // The bot reports it once, when the holding exceeds the limit; the state has the current quantity.
  expect(partialStops).toMatchObject([{ data: { quantity: '0.005' } }]);
  expect(harness.state.stops[market.pair]).toMatchObject({ gap: null, lacking: held - most });
  harness.fall(0.02);
  expect(exchange.held).toBeGreaterThan(0);
  const after = harness.settle();
  expect(after.bot.pairs[0]?.position).toBeNull();
  expect(exchange.held).toBeLessThan(market.step);
});

test('a stop that the bot lost track of is adopted, queried and cancelled as a stop', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
  harness.buy(500);
  harness.settle();
  harness.state.orders.length = 0;
  harness.applySnapshot();
  expect(harness.journal.filter(({ data }) => data.what === 'adopted')).toHaveLength(1);
  expect(harness.state.orders).toMatchObject([{ type: 'stop_market', trigger: { by: 'last' } }]);
  harness.sell(100);
  expect(harness.outgoing).toMatchObject([{ type: 'cancel', kind: 'stop' }]);
  expect(harness.settle().bot.pairs[0]).toMatchObject({ position: null, stop: null });
});

const PLANS_BESIDE_STOPS = [
  { id: 'grid', params: { levels: 6, range_pct: 2 } },
  { id: 'dca', params: { start: 'now', step: 0.5, take_profit: 0.6, pause: 0 } },
  { id: 'dca', params: { start: 'now', step: 0.5, take_profit: 0.6, pause: 0, trailing: 0.3 } },
] as const;

test('beside grid and DCA orders no coin is offered twice, and the rest has its stop', () => {
  let [stops, sales] = [0, 0];
  fc.assert(
    fc.property(fc.boolean(), fc.constantFrom(...PLANS_BESIDE_STOPS), MOVES, (maker, strategy, moves) => {
      const stopSell = [{ profit: 3, stop: 100 }];
      const harness = new LiveHarness({ maker, share: null, stop: 'market', stopSell, strategy });
      // The moves exclude manual orders, which end a grid or a deal.
      for (const move of moves) if (move.what !== 'sell' && move.what !== 'buy') harness.move(move);
      const state = harness.settle();
      const { exchange } = harness;
      expect(exchange.oversold).toBe(0);
      const open = [...exchange.orders.values()].filter(
        ({ status, request }) => status === 'open' && request.side === 'sell',
      );
      const waiting = open.filter(({ waits }) => waits);
      if (open.length > waiting.length) sales += 1;
      if (waiting.length > 0) {
        stops += 1;
        expect(waiting).toHaveLength(1);
        expect(state.bot.pairs[0]?.position).not.toBeNull();
      } else if (state.bot.pairs[0]?.position) {
        expect([PLAN_SELLS, 'no_row', 'row_fired', 'below_minimum']).toContain(state.stops[harness.market.pair]?.gap);
      }
    }),
    { numRuns: RUNS / 4 },
  );
  expect(Math.min(stops, sales)).toBeGreaterThan(RUNS / 500);
});

/** Seed 875129439: the base order is partially filled, its stop is cancelled manually, the safety orders are open. */
const STOP_GONE_BESIDE_ENTRIES: readonly Move[] = [
  ...(['perform', 'deliver', 'quote', 'quote', 'quote'] as const).map((what) => ({ what, n: 0 })),
  ...[224, 619].map((n) => ({ what: 'fill' as const, n })),
  ...(['perform', 'quote', 'deliver', 'deliver'] as const).map((what) => ({ what, n: 990 })),
];

test('a stop cancelled manually beside safety orders is placed again after a minute', () => {
  const strategy = { id: 'dca', params: { start: 'now', step: 0.5, take_profit: 0.6, pause: 0, trailing: 0.3 } };
  const harness = new LiveHarness({ maker: true, share: null, stop: 'market', strategy });
  for (const move of STOP_GONE_BESIDE_ENTRIES) harness.move(move);
  while (openStopsOf(harness).length === 0) harness.settle(1);
  harness.cancelStopByHand();
  harness.deliverAll();
  const goneAt = harness.state.now;
  expect([gapOf(harness), notesAbout(harness, 'stop_gone').length]).toEqual(['cancelled', 1]);
  while (openStopsOf(harness).length === 0 && harness.state.now < goneAt + 120_000) harness.settle(1);
  expect(harness.state.orders.filter(({ side }) => side === 'buy').length).toBeGreaterThan(0);
  expect([gapOf(harness), openStopsOf(harness).length]).toEqual([null, 1]);
  expect(harness.state.now - goneAt).toBeLessThan(62_000);
});

/** Creates a bot with an entry at 60,000 and an open protective stop. */
function holding(given: Partial<ConstructorParameters<typeof LiveHarness>[0]> = {}): LiveHarness {
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market', ...given });
  harness.buy(1_000);
  harness.settle();
  return harness;
}

const pairOf = ({ state }: LiveHarness) => state.bot.pairs[0] as NonNullable<(typeof state.bot.pairs)[0]>;
const openStopsOf = ({ exchange }: LiveHarness) =>
  [...exchange.orders.values()].filter(({ status, request }) => status === 'open' && request.trigger !== undefined);
const gapOf = ({ state, market }: LiveHarness) => state.stops[market.pair]?.gap ?? null;
const notesAbout = (harness: LiveHarness, what: string) =>
  harness.journal.filter(({ data }) => data.what === what || data.why === what);

describe('a stop at the exchange', () => {
  test('has the price of the outermost row and the quantity that all rows sell by then', () => {
    const stopSell = [
      { profit: 1, stop: 50 },
      { profit: 3, stop: 80 },
    ];
    const harness = holding({ stop: 'limit', stopSell });
    const [stop] = openStopsOf(harness);
    const { entryPrice, quantity } = pairOf(harness).holding;
    const { step, tick } = harness.market;
    expect(stop?.request.trigger?.price).toBe(floorTick(harness.market, mulDiv(entryPrice, 97, 100, 'down')));
    // The rows sell half, then 80 % of the rest, so a tenth is left.
    expect(stop?.request.quantity).toBe(Math.floor((quantity * 0.9) / step) * step);
    const limit = (stop?.request.trigger?.price ?? 0) * 0.95;
    expect(stop?.request.type).toBe('stop_limit');
    expect(limit - (stop?.request.price ?? 0)).toBeGreaterThanOrEqual(0);
    expect(limit - (stop?.request.price ?? 0)).toBeLessThan(tick);
  });

  test('is cancelled before the bot sells, and the rest gets a new one at once', () => {
    const harness = holding();
    const before = openStopsOf(harness)[0]?.request.clientOrderId;
    harness.sell(40);
    expect(harness.outgoing).toMatchObject([{ type: 'cancel', clientOrderId: before, kind: 'stop' }]);
    harness.perform(0, 'both', 1);
    harness.deliverAll();
    expect(harness.outgoing).toMatchObject([
      { type: 'place', order: { type: 'market', side: 'sell' } },
      { type: 'place', order: { type: 'stop_market', side: 'sell' } },
    ]);
    const [sale, stop] = harness.outgoing.flatMap((request) =>
      request.type === 'place' ? [request.order.quantity] : [],
    );
    expect((sale ?? 0) + (stop ?? 0)).toBeLessThanOrEqual(harness.exchange.held);
    expect(harness.exchange.held - (sale ?? 0) - (stop ?? 0)).toBeLessThan(harness.market.step);
  });

  test('that sells while the host is dead is booked once, and the bot sells nothing more', () => {
    const harness = holding();
    harness.fall(0.02);
    harness.crash();
    harness.settle();
    expect(harness.exchange.held).toBeLessThan(harness.market.step);
    expect(pairOf(harness).position).toBeNull();
    const exits = harness.journal.filter(({ kind, data }) => kind === 'fill' && data.side === 'sell');
    expect(exits.length).toBeGreaterThan(0);
    expect(exits.every(({ data }) => data.reason === 'exchange_stop')).toBe(true);
    expect(new Set(exits.map(({ data }) => data.id)).size).toBe(exits.length);
    expect(harness.state.bot.wallet.quote).toBe(harness.exchange.cash);
    expect(openStopsOf(harness)).toEqual([]);
  });

  test('that is rejected raises an alarm once, and is retried until it works', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
    harness.buy(1_000);
    harness.perform(0, 'both', 1);
    harness.deliverAll();
    for (let refusal = 0; refusal < 4; refusal++) {
      expect(harness.outgoing).toMatchObject([{ type: 'place', order: { type: 'stop_market' } }]);
      harness.perform(0, 'refused', 1);
      harness.deliverAll();
      expect([gapOf(harness), harness.outgoing]).toEqual(['refused', []]);
      harness.wait(1_000 * 2 ** refusal);
    }
    expect(notesAbout(harness, 'stop_refused')).toHaveLength(1);
    expect(notesAbout(harness, 'no')).toHaveLength(4);
    harness.settle();
    expect([gapOf(harness), openStopsOf(harness).length]).toEqual([null, 1]);
  });

  test('that is cancelled externally is reported, and another is placed a minute later', () => {
    const harness = holding();
    const [before] = openStopsOf(harness);
    harness.cancelByHand(0);
    harness.deliverAll();
    expect(notesAbout(harness, 'stop_gone')).toHaveLength(1);
    harness.wait(59_000);
    expect([gapOf(harness), harness.outgoing.length]).toEqual(['cancelled', 0]);
    harness.wait(2_000);
    harness.settle();
    const [after] = openStopsOf(harness);
    expect(after?.request).toMatchObject({ trigger: before?.request.trigger, quantity: before?.request.quantity });
    expect(after?.request.clientOrderId).not.toBe(before?.request.clientOrderId);
  });

  test('that the exchange has let expire is placed again after five seconds', () => {
    const harness = holding();
    harness.expireStop();
    harness.deliverAll();
    harness.wait(4_000);
    expect([gapOf(harness), harness.outgoing.length]).toEqual(['cancelled', 0]);
    harness.wait(1_500);
    expect(harness.outgoing).toMatchObject([{ type: 'place', order: { type: 'stop_market' } }]);
  });

  test('that is cancelled externally leaves the bot on guard: it sells at the same price', () => {
    const harness = holding();
    harness.cancelStopByHand();
    harness.deliverAll();
    expect([gapOf(harness), openStopsOf(harness)]).toEqual(['cancelled', []]);
    harness.fall(0.02);
    harness.quote(0);
    harness.wait(1_000);
    expect(harness.outgoing).toMatchObject([{ type: 'place', order: { type: 'market', side: 'sell' } }]);
    harness.settle();
    expect([pairOf(harness).position, harness.exchange.held < harness.market.step]).toEqual([null, true]);
  });

  test('follows stop_sell, and is cancelled where that is switched off', () => {
    const harness = holding();
    harness.change({ stop_sell: [{ profit: 4, stop: 100 }] });
    harness.settle();
    const level = mulDiv(pairOf(harness).holding.entryPrice, 96, 100, 'down');
    expect(openStopsOf(harness).map(({ request }) => request.trigger?.price)).toEqual([
      floorTick(harness.market, level),
    ]);
    harness.change({ stop_sell: [] });
    harness.settle();
    expect([openStopsOf(harness), gapOf(harness)]).toEqual([[], 'no_row']);
    expect(notesAbout(harness, 'no_row')).toHaveLength(1);
  });

  test('sells by its own row after a used row in front of it was deleted', () => {
    const outer = { profit: 8, stop: 50 };
    const harness = holding({ stopSell: [{ profit: 3, stop: 30 }, outer] });
    const { entryPrice, quantity } = pairOf(harness).holding;
    harness.fallTo(entryPrice * 0.969);
    harness.settle();
    expect(pairOf(harness).holding.quantity / quantity).toBeCloseTo(0.7, 2);
    const [stop] = openStopsOf(harness);
    harness.change({ stop_sell: [outer] });
    harness.settle();
    expect(openStopsOf(harness)).toEqual([stop]);
    harness.fallTo(entryPrice * 0.919);
    harness.settle();
    expect(pairOf(harness).holding.quantity / quantity).toBeCloseTo(0.35, 2);
    expect(pairOf(harness).position?.fired.stopSell).toBe(0b1);
    expect(gapOf(harness)).toBe('row_fired');
  });

  test('follows a row that is added in front of a used one', () => {
    const used = { profit: 4, stop: 50 };
    const harness = holding({ stopSell: [used] });
    const { entryPrice } = pairOf(harness).holding;
    harness.fallTo(entryPrice * 0.959);
    harness.settle();
    expect([gapOf(harness), openStopsOf(harness)]).toEqual(['row_fired', []]);
    harness.fallTo(entryPrice);
    harness.settle();
    harness.change({ stop_sell: [{ profit: 2, stop: 100 }, used] });
    harness.settle();
    const level = floorTick(harness.market, mulDiv(entryPrice, 98, 100, 'down'));
    expect(gapOf(harness)).toBeNull();
    expect(openStopsOf(harness).map(({ request }) => request.trigger)).toEqual([{ price: level, by: 'last' }]);
    harness.fallTo(entryPrice * 0.979);
    harness.settle();
    expect(pairOf(harness).position).toBeNull();
  });

  test('stands for rows that are added without changing its price and quantity', () => {
    const harness = holding({ stopSell: [{ profit: 8, stop: 75 }] });
    const { entryPrice, quantity } = pairOf(harness).holding;
    const [stop] = openStopsOf(harness);
    harness.change({
      stop_sell: [
        { profit: 3, stop: 50 },
        { profit: 8, stop: 50 },
      ],
    });
    harness.settle();
    expect(openStopsOf(harness)).toEqual([stop]);
    harness.fallTo(entryPrice * 0.919);
    harness.settle();
    expect(pairOf(harness).holding.quantity / quantity).toBeCloseTo(0.25, 2);
    expect(pairOf(harness).position?.fired.stopSell).toBe(0b11);
  });

  test('is cancelled when the bot stops, unless the kill switch keeps the position', () => {
    const harness = holding();
    harness.halt(false);
    harness.settle();
    expect(openStopsOf(harness)).toHaveLength(1);
    harness.halt(true);
    harness.settle();
    expect([openStopsOf(harness), pairOf(harness).position]).toEqual([[], null]);
    const stopped = holding();
    const { bot, orders } = stopped.end();
    expect([bot.status, orders, openStopsOf(stopped), gapOf(stopped)]).toEqual(['finished', [], [], 'not_running']);
    expect(pairOf(stopped).position).not.toBeNull();
  });

  test('is missing where the exchange has none, which is recorded once per position', () => {
    const harness = holding({ stop: null });
    harness.buy(500);
    harness.settle();
    expect([harness.exchange.orders.size, gapOf(harness)]).toEqual([2, 'venue']);
    expect(notesAbout(harness, 'venue')).toHaveLength(1);
  });
});
