import fc from 'fast-check';
import { OrderBook } from 'nodejs-order-book';
import { describe, expect, test } from 'vitest';
import { Book, CROWD, type SelfTradePrevention, type Side, type Taker } from './book.ts';
import { PriceLevels } from './priceLevels.ts';

const taker = (id: number, side: Side, quantity: number, limit = side === 'buy' ? Infinity : 0, owner = CROWD) => ({
  id,
  owner,
  side,
  limit,
  quantity,
  budget: Infinity,
  selfTrade: 'EXPIRE_MAKER' as SelfTradePrevention,
});

interface LimitOrder {
  id: number;
  side: Side;
  tick: number;
  quantity: number;
  /** The crowd unless given. */
  owner?: number;
}

/** Places a limit order as an exchange does: it takes first, then the rest is added to the book. */
function place(book: Book, { id, side, tick, quantity, owner = CROWD }: LimitOrder) {
  const result = book.match(taker(id, side, quantity, tick, owner));
  if (result.filled < quantity) book.addOrder(id, owner, side, tick, quantity - result.filled);
  return result;
}

describe('price levels of one side', () => {
  test('the nearest level above and below is that of a sorted list', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(100_000_000), fc.nat(5_000)), { minLength: 1, maxLength: 200 }),
        fc.array(fc.nat(100_000_000), { maxLength: 50 }),
        (ticks, probes) => {
          const priceLevels = new PriceLevels();
          const present = new Set<number>();
          ticks.forEach((tick, i) => {
            if (present.has(tick) && i % 3 === 0) {
              priceLevels.set(tick, -1, -1, 0);
              present.delete(tick);
            } else if (!present.has(tick)) {
              priceLevels.set(tick, 0, 0, 1);
              present.add(tick);
            }
          });
          const sorted = [...present].sort((a, b) => a - b);
          expect(priceLevels.levels).toBe(sorted.length);
          for (const probe of [...probes, ...ticks, ...ticks.map((t) => t + 1)]) {
            expect(priceLevels.atOrAbove(probe)).toBe(sorted.find((t) => t >= probe) ?? -1);
            expect(priceLevels.atOrBelow(probe)).toBe(sorted.findLast((t) => t <= probe) ?? -1);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the order book', () => {
  test('the best price fills first and, at one price, the oldest order first', () => {
    const book = new Book();
    place(book, { id: 1, side: 'sell', tick: 101, quantity: 5 });
    place(book, { id: 2, side: 'sell', tick: 100, quantity: 5 });
    place(book, { id: 3, side: 'sell', tick: 100, quantity: 5 });
    const { fills } = book.match(taker(4, 'buy', 12));
    expect(fills.map((f) => [f.makerId, f.tick, f.quantity, f.makerRemaining])).toEqual([
      [2, 100, 5, 0],
      [3, 100, 5, 0],
      [1, 101, 2, 3],
    ]);
    expect(book.bestAsk).toBe(101);
    expect(book.remaining(1)).toBe(3);
  });

  test('a budget buys whole steps and is never exceeded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 })), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.integer({ min: 0, max: 20_000 }),
        (asks, budget) => {
          const book = new Book();
          asks.forEach(([tick, quantity], i) => {
            book.addOrder(i + 1, CROWD, 'sell', 1000 + tick, quantity);
          });
          const order = { ...taker(99, 'buy', Infinity), budget };
          const preview = book.preview(order);
          const { fills, filled } = book.match(order);
          const cost = fills.reduce((sum, f) => sum + f.tick * f.quantity, 0);
          expect(cost).toBeLessThanOrEqual(budget);
          expect(preview).toEqual({ filled, cost: BigInt(cost) });
          if (book.bestAsk !== -1) expect(budget - cost).toBeLessThan(book.bestAsk);
        },
      ),
    );
  });

  test.each([
    ['NONE', [7, 8], 0, false],
    ['EXPIRE_MAKER', [8], 1, false],
    ['EXPIRE_TAKER', [], 0, true],
    ['EXPIRE_BOTH', [], 1, true],
  ] as const)('self-trade prevention %s', (selfTrade, makers, expired, takerExpired) => {
    const book = new Book();
    book.addOrder(7, 1, 'sell', 100, 5);
    book.addOrder(8, 2, 'sell', 100, 5);
    const result = book.match({ ...taker(9, 'buy', 10, 100, 1), selfTrade });
    expect(result.fills.map((f) => f.makerId)).toEqual(makers);
    expect(result.expired).toHaveLength(expired);
    expect(result.takerExpired).toBe(takerExpired);
  });

  test('every change of a level raises the update id and marks the level', () => {
    const book = new Book(10);
    place(book, { id: 1, side: 'sell', tick: 100, quantity: 5 });
    place(book, { id: 2, side: 'buy', tick: 90, quantity: 5 });
    expect(book.updateId).toBe(12);
    expect([...book.changed]).toEqual([100, -90]);
    book.cancel(2);
    expect(book.updateId).toBe(13);
    expect(book.bestBid).toBe(-1);
  });

  test('quantities are conserved and the book is never crossed after any operation', () => {
    const operation = fc.oneof(
      fc.record({
        kind: fc.constant('place' as const),
        side: fc.constantFrom<Side>('buy', 'sell'),
        tick: fc.integer({ min: 1, max: 60 }),
        quantity: fc.integer({ min: 1, max: 30 }),
        owner: fc.integer({ min: 0, max: 3 }),
      }),
      fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(200) }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const book = new Book();
        let id = 0;
        let inserted = 0;
        let gone = 0;
        for (const op of operations) {
          if (op.kind === 'cancel') gone += book.cancel(op.pick);
          else {
            inserted += op.quantity;
            const result = place(book, { ...op, id: ++id });
            gone += 2 * result.filled + result.expired.reduce((sum, e) => sum + e.quantity, 0);
          }
          if (book.bestBid !== -1 && book.bestAsk !== -1) expect(book.bestBid).toBeLessThan(book.bestAsk);
        }
        const resting = [...book.levels('buy', 1000), ...book.levels('sell', 1000)].reduce((sum, [, q]) => sum + q, 0);
        expect(resting).toBe(inserted - gone);
        expect(book.bestBid).toBe(book.levels('buy', 1)[0]?.[0] ?? -1);
        expect(book.bestAsk).toBe(book.levels('sell', 1)[0]?.[0] ?? -1);
      }),
    );
  });

  test('a reduced order keeps its place, and cannot be reduced below zero', () => {
    const book = new Book();
    for (const id of [1, 2]) book.addOrder(id, CROWD, 'sell', 100, 5);
    book.reduce(1, 2);
    expect(book.queue('sell', 100).map(({ id, quantity }) => [id, quantity])).toEqual([
      [1, 2],
      [2, 5],
    ]);
    expect(book.levels('sell', 1)).toEqual([[100, 7]]);
    expect(() => book.reduce(1, 3)).toThrow('cannot be cut');
    expect(() => book.reduce(3, 1)).toThrow('cannot be cut');
  });

  test('DECREMENT reduces both orders equally, without a trade', () => {
    const book = new Book();
    book.addOrder(7, 1, 'sell', 100, 5);
    book.addOrder(8, 2, 'sell', 100, 5);
    book.addOrder(9, 1, 'sell', 100, 5);
    const order = { ...taker(10, 'buy', 12, 100, 1), selfTrade: 'DECREMENT' as const };
    expect(book.preview(order)).toEqual({ filled: 5, cost: 500n });
    const result = book.match(order);
    expect(result.fills.map(({ makerId, quantity }) => [makerId, quantity])).toEqual([[8, 5]]);
    expect(result.decremented).toEqual([
      { id: 7, quantity: 5, makerRemaining: 0 },
      { id: 9, quantity: 2, makerRemaining: 3 },
    ]);
    expect([result.filled, result.prevented, book.remaining(9)]).toEqual([5, 7, 3]);
  });

  test('200,000 random operations give the trades and the book of nodejs-order-book', () => {
    const books = {
      ours: new Book(),
      theirs: new OrderBook(),
      traded: { GTC: 0, IOC: 0, FOK: 0, market: 0 },
      expired: 0,
      rejected: 0,
    };
    const random = randomOf(12345);
    for (let id = 1; id <= 200_000; id++) {
      operate(books, id, random);
      if (id % 10_000 === 0) expectSameLevels(books);
    }
    expectSameLevels(books);
    for (const [name, steps] of Object.entries(books.traded))
      expect({ name, steps: steps > 50_000 }).toEqual({ name, steps: true });
    expect(books.expired).toBeGreaterThan(1_000);
    expect(books.rejected).toBeGreaterThan(1_000);
    expectSameQueues(books);
  });
});

/** Returns a repeatable source of whole numbers below a bound. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Books {
  readonly ours: Book;
  readonly theirs: OrderBook;
  /** Steps that were filled. */
  readonly traded: { GTC: number; IOC: number; FOK: number; market: number };
  expired: number;
  rejected: number;
}

type TheirOrder = Omit<Parameters<OrderBook['limit']>[0], 'price' | 'timeInForce' | 'postOnly'>;

const MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'] as const;

/** Performs a random operation on both books. @param id of the order, if the operation places one */
function operate(books: Books, id: number, random: (below: number) => number): void {
  const { ours, theirs } = books;
  const kind = random(20);
  const side: Side = random(2) === 0 ? 'buy' : 'sell';
  const quantity = 1 + random(50);
  const owner = random(4);
  // The preview of the peer counts orders that self-trade prevention would remove.
  const selfTrade = kind === 10 ? 'NONE' : (MODES[random(4)] as SelfTradePrevention);
  const order = { id: String(id), side: side as never, size: quantity, stpMode: selfTrade as never };
  const theirOrder = owner === CROWD ? order : { ...order, accountId: String(owner) };
  if (kind >= 14) {
    const target = 1 + random(id);
    expect(theirs.cancel(String(target))?.order?.size ?? 0).toBe(ours.cancel(target));
    return;
  }
  if (kind >= 12) {
    placeMarket(books, { ...taker(id, side, quantity, undefined, owner), selfTrade }, theirOrder);
    return;
  }
  const tick = 5000 + random(400) - 200 + (side === 'buy' ? -20 : 20);
  placeLimit(books, { ...taker(id, side, quantity, tick, owner), selfTrade }, kind, theirOrder);
}

function placeMarket({ ours, theirs, traded }: Books, order: Taker, theirOrder: TheirOrder): void {
  const { id, quantity } = order;
  const { filled } = ours.match(order);
  const { quantityLeft, err } = theirs.market(theirOrder);
  // The peer forgets the fills of an order that expires in the middle of a level.
  if (err === null && quantity - quantityLeft !== filled) expect({ id, quantityLeft }).toEqual({ id, filled });
  traded.market += filled;
}

function placeLimit(books: Books, order: Taker, kind: number, theirOrder: TheirOrder): void {
  const { ours, theirs, traded } = books;
  const { id, owner, side, quantity, limit: tick } = order;
  const postOnly = kind === 11;
  const timeInForce = kind === 10 ? 'FOK' : kind >= 8 ? 'IOC' : 'GTC';
  theirs.limit({ ...theirOrder, price: tick, timeInForce: timeInForce as never, postOnly });
  if (postOnly && ours.crosses(side, tick)) books.rejected++;
  else if (timeInForce === 'FOK' && ours.preview(order).filled < quantity) books.rejected++;
  else {
    const result = ours.match(order);
    traded[timeInForce] += result.filled;
    books.expired += result.expired.length;
    const left = quantity - result.filled;
    if (timeInForce === 'GTC' && left > 0 && !result.takerExpired) ours.addOrder(id, owner, side, tick, left);
  }
}

function expectSameLevels({ ours, theirs }: Books): void {
  const [asks, bids] = theirs.depth() as [[number, number][], [number, number][]];
  expect(ours.levels('sell', 1e6)).toEqual(asks.map(([price, size]) => [Number(price), Number(size)]));
  expect(ours.levels('buy', 1e6)).toEqual(bids.map(([price, size]) => [Number(price), Number(size)]));
}

function expectSameQueues({ ours, theirs }: Books): void {
  const snapshot = theirs.snapshot();
  for (const [side, levels] of [
    ['sell', snapshot.asks],
    ['buy', snapshot.bids],
  ] as const) {
    for (const level of levels) {
      expect(ours.queue(side, level.price).map((o) => [o.id, o.quantity])).toEqual(
        level.orders.map((o) => [Number(o.id), o.size]),
      );
    }
  }
}
