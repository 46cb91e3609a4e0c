import { floorStep, floorTick, notional } from '@heron/engine/market/market.ts';
import { mulDiv, type Price, type Quantity, SCALE, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { options } from '../harness.ts';
import { RUNS } from '../invariants/runs.ts';
import { LiveHarness, MARKET, PRICED_MOVE } from './liveHarness.ts';

const openOrders = ({ exchange }: LiveHarness) =>
  [...exchange.orders.values()].filter(({ status }) => status === 'open');
const openStops = (harness: LiveHarness) => openOrders(harness).filter(({ request }) => request.trigger !== undefined);
const pairOf = ({ state }: LiveHarness) => state.bot.pairs[0] as NonNullable<(typeof state.bot.pairs)[0]>;

interface Stop {
  readonly price: Price;
  readonly share: number;
}

/** Returns the stop-losses of a position, the nearest first, up to the one that sells everything. */
function stopsOf(harness: LiveHarness): Stop[] {
  const { position, holding } = pairOf(harness);
  const fired = position?.fired.stopSell ?? 0;
  const rows = harness.state.bot.options.stop_sell
    .filter((_, index) => (fired & (1 << index)) === 0)
    .map(({ profit, stop }) => ({
      price: mulDiv(holding.entryPrice, SCALE - toUnits(profit / 100), SCALE, 'down'),
      share: stop / 100,
    }));
  const exits = (position?.priceExits ?? [])
    .filter(({ stopLoss }) => stopLoss > 0)
    .map(({ stopLoss, share }) => ({ price: stopLoss, share: share / SCALE }));
  const all = [...rows, ...exits].sort((a, b) => b.price - a.price);
  // Without a price exit the outermost row counts.
  const whole = exits.length === 0 ? -1 : all.findIndex(({ share }) => share === 1);
  return whole === -1 ? all : all.slice(0, whole + 1);
}

/** Returns what stops sell together: everything where the remainder would be below `min_buy_size`. */
function soldBy(stops: readonly Stop[], held: Quantity, price: Price): Quantity {
  const kept = stops.reduce((left, { share }) => left * BigInt(100 - Math.round(share * 100)), BigInt(held));
  const scale = 100n ** BigInt(stops.length);
  const sold = floorStep(MARKET, held - Number((kept + scale - 1n) / scale));
  return notional(MARKET, price, held - sold) < toUnits(options().min_buy_size) ? floorStep(MARKET, held) : sold;
}

test('after any faults a position has one stop for its rows and price exits together, and the books are those of the exchange', () => {
  let [stops, withExits, bought] = [0, 0, 0];
  const moves = fc.array(PRICED_MOVE, { minLength: 30, maxLength: 250, size: 'max' });
  fc.assert(
    fc.property(fc.boolean(), fc.constantFrom('market' as const, 'limit' as const), moves, (maker, stop, all) => {
      const harness = new LiveHarness({ maker, share: null, stop });
      for (const move of all) harness.move(move);
      harness.cancelEntry();
      harness.settle();
      const { exchange, state } = harness;
      const { position } = pairOf(harness);
      bought += harness.journal.filter(({ kind, data }) => kind === 'intent' && (data.limit || data.trigger)).length;
      expect(exchange.oversold).toBe(0);
      expect(state.bot.wallet.quote).toBe(exchange.cash);
      const expected = position === null ? [] : stopsOf(harness);
      const [open, ...others] = openStops(harness);
      expect(others).toEqual([]);
      if (open === undefined) {
        if (expected.length > 0) expect(state.stops[MARKET.pair]?.gap).toBe('below_minimum');
        return;
      }
      stops += 1;
      if ((position?.priceExits ?? []).some(({ stopLoss }) => stopLoss > 0)) withExits += 1;
      const outermost = expected.at(-1) as Stop;
      expect(open.request.trigger).toEqual({ price: floorTick(MARKET, outermost.price), by: 'last' });
      expect(open.request.quantity - open.filled).toBe(soldBy(expected, exchange.held, outermost.price));
    }),
    { numRuns: RUNS / 2 },
  );
  expect(stops).toBeGreaterThan(RUNS / 50);
  expect(withExits).toBeGreaterThan(RUNS / 100);
  expect(bought).toBeGreaterThan(RUNS / 5);
});

describe('a limit order at the exchange', () => {
  test('stays where it is through restarts and account snapshots, and is booked once', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
    harness.buyAt('limit', 59_000, 1_000);
    harness.perform(0, 'both', 1);
    harness.deliverAll();
    const [before] = openOrders(harness);
    for (let i = 0; i < 3; i++) {
      harness.crash();
      harness.minutePasses();
      while (harness.outgoing.length > 0) harness.perform(0, 'both', 1);
      harness.deliverAll();
    }
    expect(openOrders(harness)).toEqual([before]);
    harness.move({ what: 'fill', n: 0 });
    harness.settle();
    const fills = harness.journal.filter(({ kind, data }) => kind === 'fill' && data.side === 'buy');
    expect(new Set(fills.map(({ data }) => data.id)).size).toBe(1);
    expect(harness.state.bot.wallet.quote).toBe(harness.exchange.cash);
    expect(openStops(harness)).toHaveLength(1);
  });

  test('that its owner cancels at the exchange ends', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
    harness.buyAt('limit', 59_000, 1_000);
    harness.perform(0, 'both', 1);
    harness.deliverAll();
    harness.cancelByHand(0);
    harness.settle();
    expect([pairOf(harness).entry, openOrders(harness)]).toEqual([null, []]);
  });
});

describe('a price exit of a live position', () => {
  const holding = () => {
    const harness = new LiveHarness({
      maker: false,
      share: null,
      stop: 'market',
      stopSell: [{ profit: 10, stop: 100 }],
    });
    harness.buy(1_000);
    harness.settle();
    return harness;
  };

  test('moves the protective stop to its stop-loss, and back when it is removed', () => {
    const harness = holding();
    const [option] = openStops(harness);
    harness.setExit(58_000, 0);
    harness.settle();
    expect(openStops(harness).map(({ request }) => request.trigger)).toEqual([{ price: toUnits(58_000), by: 'last' }]);
    harness.removeExit(1);
    harness.settle();
    expect(openStops(harness)[0]?.request.trigger).toEqual(option?.request.trigger);
  });

  test('whose stop-loss is reached while the host is dead is sold by the exchange, once', () => {
    const harness = holding();
    harness.setExit(58_000, 66_000);
    harness.settle();
    harness.fallTo(toUnits(57_990));
    harness.crash();
    harness.settle();
    expect(pairOf(harness).position).toBeNull();
    const sales = harness.journal.filter(({ kind, data }) => kind === 'fill' && data.side === 'sell');
    expect(sales.every(({ data }) => data.reason === 'exchange_stop')).toBe(true);
    expect(harness.exchange.held).toBeLessThan(MARKET.step);
  });

  test('that a manual sale joins outlasts a suspension', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [] });
    harness.buy(3_000);
    harness.settle();
    harness.setExit(58_800, 0);
    harness.fallTo(toUnits(58_700));
    harness.wait(1_100);
    harness.quote(0);
    harness.wait(1_100);
    harness.perform(0, 'both', 0.5);
    harness.deliverAll();
    harness.sell(100);
    while (harness.outgoing.length > 0) harness.perform(0, 'refused', 1);
    harness.deliverAll();
    const ticker = { type: 'ticker', pair: MARKET.pair, last: toUnits(58_700), volume24h: 1e12 } as const;
    harness.feed({ ...ticker, at: harness.state.now, suspended: 'halted' });
    harness.wait(100);
    expect(pairOf(harness).exit).not.toBeNull();
    harness.feed({ ...ticker, at: harness.state.now });
    harness.settle();
    expect(pairOf(harness).position).toBeNull();
  });

  test.each([
    ['a price exit', []],
    ['a row', [{ profit: 3, stop: 50 }]],
  ] as const)('of a part, as %s, is sold once when exchange and bot see it together', (_name, stopSell) => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'market', stopSell });
    harness.buy(3_000);
    harness.settle();
    if (stopSell.length === 0) harness.setExit(58_000, 0, 50);
    harness.settle();
    const { quantity } = pairOf(harness).holding;
    harness.wait(5_000);
    harness.fallTo(toUnits(57_980));
    // The quote reaches the bot before the fills of the stop do.
    harness.quote(0);
    harness.settle();
    expect(pairOf(harness).holding.quantity / quantity).toBeCloseTo(0.5, 2);
    expect(pairOf(harness).position?.priceExits).toBeUndefined();
    expect(pairOf(harness).exit).toBeNull();
  });

  test('of a small part far away leaves the protective stop at its row', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'market', stopSell: [{ profit: 3, stop: 50 }] });
    harness.buy(1_000);
    harness.settle();
    const [before] = openStops(harness);
    harness.setExit(40_000, 0, 10);
    harness.settle();
    expect(openStops(harness)).toEqual([before]);
  });

  test('that its owner has removed does not return with a partly filled stop', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'limit', stopSell: [] });
    harness.buy(3_000);
    harness.settle();
    harness.setExit(59_000, 0);
    harness.settle();
    harness.removeExit(1);
    harness.fallTo(toUnits(55_000));
    while (harness.outgoing.length > 0) harness.perform(0, 'both', 1);
    harness.deliverAll();
    harness.settle();
    expect(pairOf(harness).position?.priceExits).toBeUndefined();
  });

  test('belongs to its position: coins sold outside end both, while a limit order waits for the next', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [] });
    harness.buy(1_000);
    harness.settle();
    harness.setExit(58_000, 0);
    harness.buyAt('limit', 55_000, 1_000);
    const flush = () => {
      while (harness.outgoing.length > 0) harness.perform(0, 'both', 1);
      harness.deliverAll();
    };
    flush();
    harness.exchange.sellByHand(harness.exchange.held);
    for (let i = 0; i < 4; i++) {
      harness.wait(60_000);
      harness.applySnapshot();
      flush();
      harness.quote(0);
    }
    expect([pairOf(harness).position, pairOf(harness).phase]).toEqual([null, 'buying']);
    harness.fallTo(toUnits(54_990));
    harness.move({ what: 'fill', n: 0 });
    flush();
    harness.settle();
    expect(pairOf(harness).position?.id).toBe(2);
    expect(pairOf(harness).position?.priceExits).toBeUndefined();
    expect(harness.exchange.held).toBeGreaterThan(0);
  });

  test('given with an entry protects it also when its fill is reported late', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'market', stopSell: [] });
    harness.buyAt('limit', 59_000, 1_000, 58_000);
    const [place] = harness.outgoing;
    if (place?.type !== 'place') throw new Error('nothing was placed');
    harness.perform(0, 'both', 1);
    harness.disappear(place);
    expect(pairOf(harness).entry).toBeNull();
    const { clientOrderId, quantity } = place.order;
    const updates = harness.exchange.fill(clientOrderId, quantity, toUnits(59_000), harness.state.now);
    harness.feed({ type: 'fills', at: harness.state.now, fills: updates.filter((update) => 'id' in update) });
    harness.settle();
    expect(pairOf(harness).position?.priceExits).toMatchObject([{ stopLoss: toUnits(58_000) }]);
    expect(openStops(harness)).toHaveLength(1);
  });

  test('of a part leaves the rest to the options of the bot', () => {
    const harness = holding();
    harness.setExit(58_000, 0, 50);
    harness.settle();
    const { quantity, entryPrice } = pairOf(harness).holding;
    // The exchange holds the stop for all of them together, at the outermost price.
    expect(openStops(harness)[0]?.request.trigger?.price).toBe(floorTick(MARKET, mulDiv(entryPrice, 90, 100, 'down')));
    harness.fallTo(toUnits(57_990));
    harness.settle();
    expect(pairOf(harness).holding.quantity / quantity).toBeCloseTo(0.5, 2);
    expect(pairOf(harness).position?.priceExits).toBeUndefined();
  });
});
