import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { altMarket, market as anyMarket } from '../../test/arbitraries.ts';
import { Desk, sizedQuote } from '../../test/harness.ts';
import { RUNS } from '../../test/invariants/runs.ts';
import { type Market, notional } from '../market/market.ts';
import { toUnits } from '../money/units.ts';
import { fillThroughBook } from './fillThroughBook.ts';
import { feedSession, restoreSession, saveSession } from './paperSession.ts';
import { replayTape } from './replay.ts';

const A = altMarket('AAA');
const units = (quantity: number) => toUnits(quantity, A.assetDecimals);
const TAKER = { order_type: 'taker', avg_slippage_pct: 0.045, max_slippage_pct: 2 };

/** Returns the fills of a bot as `[side, quantity, price]`. */
const fillsOf = (desk: Desk) => desk.fills().map(({ data }) => [data.side, Number(data.quantity), Number(data.price)]);

describe('a paper taker', () => {
  test('fills within the displayed size at the best price and the average slippage', () => {
    const desk = new Desk(TAKER, A, { history: 100 });
    sizedQuote(desk, 99.99, 100, 50);
    desk.buy(1_000);
    expect(fillsOf(desk).map(([, , price]) => price)).toEqual([100.045]);
  });

  test('pays the volume-weighted price of the ticks that it walks once that is worse', () => {
    const desk = new Desk(TAKER, A, { history: 100 });
    // With one unit per tick, a hundred units fill over a hundred ticks of 0.01, at half of that on average.
    sizedQuote(desk, 99.99, 100, 1);
    desk.buy(5_000);
    const [[, quantity = 0, price = 0] = []] = fillsOf(desk) as number[][];
    const ticks = (quantity * 100 - 100) / 2 / 100;
    expect(price).toBeGreaterThan(100.2);
    expect(price).toBeCloseTo(100 + ticks * 0.01, 2);
    sizedQuote(desk, 99.99, 100, 1);
    desk.sell(100);
    expect(Number(fillsOf(desk).at(-1)?.[2])).toBeLessThan(99.8);
  });

  test('fills an IOC order only up to its limit, and leaves the rest', () => {
    const desk = new Desk({ ...TAKER, max_slippage_pct: 0.1, avg_slippage_pct: 0 }, A, { history: 100 });
    sizedQuote(desk, 100, 100.01, 1);
    desk.buy(5_000);
    const filled = fillsOf(desk);
    expect(filled.length).toBeGreaterThan(0);
    for (const [, , price] of filled) expect(price).toBeLessThanOrEqual(100.11);
    const first = desk.notes.find(({ kind, data }) => kind === 'order' && data.status === 'expired');
    expect(Number(first?.data.filled)).toBe(10);
  });

  test('uses the average size of the best price, not one small order before it', () => {
    const [usual, thin] = [true, false].map((deep) => {
      const desk = new Desk({ ...TAKER, avg_slippage_pct: 0 }, A, { history: 100 });
      if (deep) for (let i = 0; i < 40; i++) sizedQuote(desk, 99.99, 100, 50);
      sizedQuote(desk, 99.99, 100, 0.5);
      desk.buy(3_000);
      return Number(fillsOf(desk)[0]?.[2]);
    });
    expect(usual).toBeLessThan(100.02);
    expect(thin).toBeGreaterThan(100.2);
  });

  test('fills as before where the exchange reports no sizes', () => {
    const desk = new Desk(TAKER, A, { history: 100 });
    desk.quote(99.99, 100);
    desk.buy(9_000);
    expect(fillsOf(desk).map(([, , price]) => price)).toEqual([100.045]);
  });

  test('fills the same in a replay of its tape, also after a restart', () => {
    const desk = new Desk(TAKER, A, { history: 100 });
    const begin = saveSession(desk.session);
    desk.tape.length = 0;
    desk.notes.length = 0;
    for (let i = 1; i < 20; i++) sizedQuote(desk, 99.99, 100, i);
    desk.buy(5_000);
    const middle = saveSession(desk.session);
    const first = desk.tape.splice(0);
    desk.session = restoreSession(middle);
    sizedQuote(desk, 99.99, 100, 2);
    desk.sell(100);
    const lines = [{ session: begin }, ...first, { session: middle }, ...desk.tape].map((line) => JSON.stringify(line));
    const replayed = replayTape(lines);
    const fills = (notes: typeof desk.notes) => notes.filter(({ kind }) => kind === 'fill');
    expect(fills(replayed.notes)).toEqual(desk.fills());
    // The buy sweeps the book and then spends what that has left.
    expect(fills(replayed.notes).map(({ data }) => data.side)).toEqual(['buy', 'buy', 'sell']);
    expect(saveSession(replayed.session)).toBe(saveSession(desk.session));
  });

  test('continues from a session that was saved without average sizes', () => {
    const desk = new Desk(TAKER, A, { history: 100 });
    sizedQuote(desk, 99.99, 100, 1);
    const saved = JSON.parse(saveSession(desk.session));
    for (const market of Object.values<Record<string, unknown>>(saved.exchange.markets)) delete market.averageSizes;
    const session = restoreSession(JSON.stringify(saved));
    const command = { type: 'buy', pair: A.pair, order: 'taker', value: toUnits(5_000), requestId: 'r' } as const;
    feedSession(session, { type: 'command', at: desk.now, command });
    const { notes } = feedSession(session, { type: 'timer', at: desk.now + 100 });
    expect(Number(notes.find(({ kind }) => kind === 'fill')?.data.price)).toBeGreaterThan(100.2);
  });
});

describe('the walk through a book', () => {
  test('never fills better than the best price, beyond the limit, or more than is wanted', () => {
    const book = fc.record({
      market: anyMarket,
      bestPrice: fc.integer({ min: 1_000, max: 1_000_000 }),
      size: fc.integer({ min: 0, max: 100_000 }),
      averageSize: fc.integer({ min: 0, max: 100_000 }),
      wanted: fc.integer({ min: 1, max: 10_000_000 }),
      further: fc.integer({ min: -3, max: 300 }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      atMarket: fc.boolean(),
    });
    fc.assert(
      fc.property(book, ({ market, side, further, atMarket, ...given }) => {
        const bestPrice = given.bestPrice * market.tick;
        const [size, averageSize, wanted] = [given.size, given.averageSize, given.wanted].map(
          (n) => n * market.step,
        ) as Sizes;
        const away = side === 'buy' ? 1 : -1;
        const limit = atMarket ? 0 : Math.max(market.tick, bestPrice + away * further * market.tick);
        const { quantity, price } = fillThroughBook(market, side, { bestPrice, size, averageSize }, limit, wanted);
        expect(quantity % market.step).toBe(0);
        expect(quantity).toBeLessThanOrEqual(wanted);
        expect(price).toBeGreaterThan(0);
        if (quantity > 0) expect(away * (price - bestPrice)).toBeGreaterThanOrEqual(0);
        if (limit > 0 && quantity > 0) expect(away * (limit - price)).toBeGreaterThanOrEqual(0);
        if (limit === 0) expect(quantity).toBe(wanted);
        // A larger order never fills at a better price.
        const more = fillThroughBook(market, side, { bestPrice, size, averageSize }, limit, wanted + market.step);
        expect(away * (more.price - price)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: RUNS },
    );
  });

  test('adds up to the sum over the ticks, each with its own price', () => {
    const cases = fc.record({
      size: fc.nat(50),
      usual: fc.integer({ min: 1, max: 50 }),
      wanted: fc.integer({ min: 1, max: 900 }),
    });
    fc.assert(
      fc.property(cases, ({ size, usual, wanted }) => {
        fc.pre(size > 0);
        const bestPrice = toUnits(100);
        const { price } = fillThroughBook(
          A,
          'buy',
          { bestPrice, size: units(size), averageSize: units(usual) },
          0,
          units(wanted),
        );
        let left = wanted;
        let cost = 0;
        for (let level = 0; left > 0; level++) {
          const here = Math.min(left, level === 0 ? size : usual);
          cost += here * (100 + level * 0.01);
          left -= here;
        }
        expect(price / 1e8).toBeCloseTo(cost / wanted, 6);
      }),
      { numRuns: RUNS },
    );
  });

  test('is what is charged: the value of a fill is that of its volume-weighted price', () => {
    const { quantity, price } = fillThroughBook(
      A,
      'buy',
      { bestPrice: toUnits(100), size: units(1), averageSize: units(1) },
      0,
      units(3),
    );
    expect(notional(A as Market, price, quantity)).toBe(toUnits(300.03));
  });
});

type Sizes = [number, number, number];
