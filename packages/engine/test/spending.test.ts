import { mulDiv, powerOfTen, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Desk, kindsOf, sizedQuote } from './harness.ts';

const PAIR = 'BTC-USDT';

/** Returns the value of all fills with their fees, in units. */
const spent = (desk: Desk) =>
  desk.fills().reduce((sum, note) => {
    const quantity = desk.units(note, 'quantity', desk.market.assetDecimals);
    const value = mulDiv(desk.units(note, 'price'), quantity, powerOfTen(desk.market.assetDecimals));
    return sum + value + desk.units(note, 'feeQuote');
  }, 0);
/** Returns the value of one step at a price. */
const stepValue = (desk: Desk, price: number) =>
  mulDiv(toUnits(price), desk.market.step, powerOfTen(desk.market.assetDecimals));

const FUTURES = { exchange: 'binanceusdm', margin_mode: 'isolated', market: 'both' };

describe('a manual buy at market', () => {
  test('for 1,000 spends 1,000 within one step, and never more', () => {
    const desk = new Desk({ avg_slippage_pct: 0 });
    desk.quote(99_999.99, 100_000);
    desk.buy(1_000);
    expect(spent(desk)).toBeLessThanOrEqual(toUnits(1_000));
    expect(spent(desk)).toBeGreaterThan(toUnits(1_000) - 1.01 * stepValue(desk, 100_000));
    const [order] = kindsOf(desk, 'order').slice(-1);
    expect(order).toMatchObject({ status: 'filled', averagePrice: '100000' });
  });

  test.each([
    ['spot', {}],
    ['futures', { exchange: 'binanceusdm', leverage: 10, margin_mode: 'isolated', market: 'both' }],
  ])('spends its amount within one step at random prices, sizes and simulated slippage: %s', (_, given) => {
    const future = 'exchange' in given;
    const amounts = fc.integer({ min: 10_00, max: 9_000_00 });
    fc.assert(
      fc.property(
        amounts,
        fc.integer({ min: 100_00, max: 120_000_00 }),
        fc.integer({ min: 0, max: 20 }),
        (cents, price, slip) => {
          const desk = new Desk({ ...given, avg_slippage_pct: slip / 200 });
          desk.quote(price / 100);
          const before = desk.session.state.bot.wallet.quote;
          desk.buy(cents / 100);
          const paid = future ? desk.pair.holding.margin + (before - desk.session.state.bot.wallet.quote) : spent(desk);
          const amount = cents * 1e6;
          expect(paid).toBeLessThanOrEqual(amount);
          const tolerance = 1.02 * stepValue(desk, (price / 100) * 1.002);
          expect(paid).toBeGreaterThan(
            amount - (future ? tolerance / 10 : tolerance) - toUnits(0.0001) - amount * 2e-4,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test('is sized by the leverage of the position that it adds to, whatever the option says now', () => {
    const desk = new Desk({ ...FUTURES, leverage: 5, avg_slippage_pct: 0 });
    desk.quote(99_999.99, 100_000);
    desk.buy(1_000);
    const { margin } = desk.pair.holding;
    desk.command({ type: 'change', options: { leverage: 20 }, params: {} });
    desk.quote(99_999.99, 100_000);
    desk.buy(500);
    expect(desk.pair.holding.leverage).toBe(5);
    const added = desk.pair.holding.margin - margin;
    expect(added).toBeLessThanOrEqual(toUnits(500));
    expect(added).toBeGreaterThan(toUnits(480));
  });

  test('of a quantity near a leverage bracket buys all of it', () => {
    const desk = new Desk({ ...FUTURES, leverage: 125, avg_slippage_pct: 0, currency_capital: 100_000 });
    desk.quote(99_999.99, 100_000);
    desk.command({ type: 'buy', pair: PAIR, order: 'taker', quantity: '2.4', requestId: 'bracket' });
    desk.wait(2_000);
    expect(desk.pair.holding.quantity).toBe(
      desk.units({ data: { of: '2.4' } } as never, 'of', desk.market.assetDecimals),
    );
  });

  test('orders nothing more once its pair is paused', () => {
    const desk = new Desk({ avg_slippage_pct: 0 });
    sizedQuote(desk, 99_999.99, 100_000, 0.001);
    desk.command({ type: 'buy', pair: PAIR, order: 'taker', value: toUnits(1_000), requestId: 'paused' });
    desk.pair.paused = 'external';
    desk.wait(5_000);
    expect(desk.pair.entry).toBeNull();
    expect(desk.notes.filter(({ kind, data }) => kind === 'order' && data.status === 'placing')).toHaveLength(1);
  });

  test('never spends more while the price moves between its orders, on any book', () => {
    const quotes = fc.array(
      fc.record({ move: fc.integer({ min: -300, max: 300 }), size: fc.constantFrom(0, 0.001, 0.05, 5) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 10_000 }), quotes, (value, moves) => {
        const desk = new Desk({ avg_slippage_pct: 0.02 });
        let price = 60_000;
        sizedQuote(desk, price, price + 0.01, 0.02);
        desk.command({
          type: 'buy',
          pair: PAIR,
          order: 'taker',
          value: toUnits(value),
          requestId: 'r',
          slippage: toUnits(0.01),
        });
        for (const { move, size } of moves) {
          price = Math.round((price + move) * 100) / 100;
          sizedQuote(desk, price, price + 0.01, size, 60);
          for (const { price: limit, quantity, order } of openOrders(desk)) {
            expect(order).toBe('limit_ioc');
            const worth = mulDiv(limit, quantity, powerOfTen(desk.market.assetDecimals));
            expect(worth + spent(desk)).toBeLessThanOrEqual(toUnits(value));
            // The limit of the first quote holds for all orders.
            expect(limit).toBeLessThanOrEqual(toUnits(60_000.01 * 1.01));
          }
        }
        desk.wait(2_000);
        expect(desk.pair.entry).toBeNull();
        expect(spent(desk)).toBeLessThanOrEqual(toUnits(value));
      }),
      { numRuns: 300 },
    );
  });

  test('larger than the best ask sweeps within the slippage, then spends what is left', () => {
    const desk = new Desk({ avg_slippage_pct: 0 });
    sizedQuote(desk, 59_999.99, 60_000, 0.01);
    desk.command({
      type: 'buy',
      pair: PAIR,
      order: 'taker',
      value: toUnits(9_000),
      requestId: 'r',
      slippage: toUnits(0.02),
    });
    desk.wait(1_000);
    const sizes = kindsOf(desk, 'order').filter(({ status }) => status === 'placing');
    expect(sizes.map(({ price }) => price)).toEqual(['61199.99', expect.stringMatching(/^60\d{3}/)]);
    expect(spent(desk)).toBeGreaterThan(toUnits(9_000) * 0.999);
    expect(spent(desk)).toBeLessThanOrEqual(toUnits(9_000));
  });

  test('buys exactly a quantity that is asked for', () => {
    const desk = new Desk();
    desk.quote(60_000);
    desk.command({ type: 'buy', pair: PAIR, order: 'taker', quantity: '0.012345678', requestId: 'r' });
    desk.wait(100);
    expect(desk.fills().map(({ data }) => data.quantity)).toEqual(['0.01234']);
  });

  test('of all that is available is accepted by the exchange: its limit is covered', () => {
    const desk = new Desk({ avg_slippage_pct: 0 });
    desk.quote(60_000);
    const cash = desk.session.state.bot.wallet.quote;
    const buy = { type: 'buy', pair: PAIR, order: 'taker', value: cash + 5e8, requestId: 'all' } as const;
    desk.command({ ...buy, limitToAvailable: true });
    const [order] = openOrders(desk);
    const worth = mulDiv(Number(order?.price), Number(order?.quantity), powerOfTen(desk.market.assetDecimals));
    expect(worth).toBeLessThanOrEqual(cash);
    desk.wait(100);
    expect(desk.session.state.bot.wallet.quote).toBeGreaterThanOrEqual(0);
    expect(desk.session.state.bot.wallet.quote).toBeLessThan(toUnits(15));
  });
});

/** Returns the orders at the simulated exchange, with the quantity that they have left. */
function openOrders(desk: Desk) {
  return desk.session.state.exchange.orders.map((order) => ({ ...order, quantity: order.rest }));
}
