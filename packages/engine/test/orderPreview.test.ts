import { parseUnits, toUnits } from '@heron/engine/money/units.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import { type PreviewedOrder, previewOrder } from '@heron/engine/preview/previewOrder.ts';
import type { Command } from '@heron/engine/state/botEvents.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Desk, sizedQuote } from './harness.ts';

const PAIR = 'BTC-USDT';
const FUTURES = { exchange: 'binanceusdm', leverage: 20, margin_mode: 'isolated', market: 'both' };
const units = (text: string | null | undefined) => parseUnits(text ?? 'none') ?? Number.NaN;

type OrderCommand = Extract<Command, { type: 'buy' | 'sell' }>;

const preview = (desk: Desk, order: PreviewedOrder) => {
  const found = previewOrder(desk.session, order, desk.now);
  if (found === null) throw new Error(`the bot has no ${order.pair}`);
  return found;
};
const buy = (value: number, more: Partial<OrderCommand> = {}): OrderCommand =>
  ({ type: 'buy', pair: PAIR, order: 'taker', value: toUnits(value), requestId: 'r', ...more }) as OrderCommand;

/** Sends an order and returns its result with all fills of the next second. */
function send(desk: Desk, order: OrderCommand) {
  const from = desk.fills().length;
  const notes = desk.command({ ...order, requestId: `sent${desk.tape.length}` });
  notes.push(...desk.wait(1_000));
  return { refused: notes.find(({ kind }) => kind === 'refusal')?.data.gate, fills: desk.fills().slice(from) };
}

/** Compares a preview with what the order then does; a taker fills at once, so its estimate must be exact. */
function comparePreview(desk: Desk, command: OrderCommand): { refused: boolean; fills: number } {
  const before = saveSession(desk.session);
  const notes = desk.session.notes.length;
  const { refused, estimate } = preview(desk, command);
  expect(saveSession(desk.session)).toBe(before);
  expect(desk.session.notes).toHaveLength(notes);
  const sent = send(desk, command);
  expect(refused?.gate).toBe(sent.refused);
  if (command.order === 'maker' || estimate === null) return { refused: refused !== null, fills: 0 };
  const sum = (key: string, decimals?: number) =>
    sent.fills.reduce((total, note) => total + desk.units(note, key, decimals), 0);
  const { assetDecimals } = desk.market;
  expect(parseUnits(estimate.quantity, assetDecimals)).toBe(sum('quantity', assetDecimals));
  expect(units(estimate.feeQuote)).toBe(sum('feeQuote'));
  if (command.type === 'sell') expect(units(estimate.realised)).toBe(sum('realised'));
  return { refused: false, fills: sent.fills.length };
}

describe('preview of a manual order', () => {
  const amounts = fc.oneof(
    fc.record({
      value: fc.integer({ min: 1, max: 2e12 }),
      limitToAvailable: fc.constantFrom(true as const, undefined),
    }),
    fc.record({ quantity: fc.integer({ min: 0, max: 3e8 }).map((q) => (q / 1e7).toFixed(7)) }),
  );
  const orders = fc.record({
    amount: amounts,
    sells: fc.boolean(),
    percent: fc.integer({ min: 1, max: 100 }),
    order: fc.constantFrom('taker' as const, 'maker' as const),
    slippage: fc.constantFrom(undefined, toUnits(0.001), toUnits(0.02)),
    short: fc.constantFrom(true as const, undefined),
  });
  const commandOf = ({ amount, sells, percent, short, slippage, order }: RandomOrder) => {
    const how = { pair: PAIR, order, requestId: 'r', ...(slippage !== undefined && { slippage }) };
    const command = sells
      ? { type: 'sell', percent, ...how }
      : { type: 'buy', ...how, ...amount, ...(short && { short }) };
    return command as OrderCommand;
  };
  type RandomOrder = typeof orders extends fc.Arbitrary<infer Order> ? Order : never;
  const cases = fc.record({
    future: fc.boolean(),
    size: fc.constantFrom(0, 0.01, 1),
    spread: fc.integer({ min: 1, max: 60_000 }),
    orders: fc.array(orders, { minLength: 1, maxLength: 5 }),
    bought: fc.integer({ min: 0, max: 5_000 }),
  });

  test('changes nothing, and shows what the order then does: refusal, quantity, fee and result', () => {
    const counts = { filled: 0, refused: 0 };
    fc.assert(
      fc.property(cases, ({ future, size, spread, orders: wanted, bought }) => {
        const desk = new Desk({ stop_sell: [{ profit: 5, stop: 50 }], ...(future && FUTURES) });
        desk.quote(60_000);
        if (bought > 0) desk.buy(bought);
        for (const order of wanted) {
          sizedQuote(desk, 60_000, 60_000 + spread / 100, size);
          const { refused, fills } = comparePreview(desk, commandOf(order));
          counts.filled += fills;
          counts.refused += refused ? 1 : 0;
          // Nothing works any more before the next order.
          desk.command({ type: 'halt', pair: PAIR, close: false });
          desk.wait(1_000);
          desk.command({ type: 'resume', pair: PAIR });
        }
      }),
      { numRuns: 300 },
    );
    // Both outcomes must occur, or the comparison shows nothing.
    expect(Math.min(counts.filled, counts.refused)).toBeGreaterThan(50);
  });

  test('gives the least amount that is accepted, and that what is available is accepted', () => {
    const orders = fc.constantFrom('taker' as const, 'maker' as const);
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 9_000_000 }), orders, fc.boolean(), (cents, order, future) => {
        const desk = new Desk(future ? FUTURES : {});
        desk.quote(cents / 100);
        const without = { type: 'buy', pair: PAIR, order, requestId: 'r' } as PreviewedOrder;
        const { minimum, minimumQuantity, available } = preview(desk, without);
        const least = units(minimum) / 1e8;
        const quantity = String(minimumQuantity);
        const byQuantity = { type: 'buy', pair: PAIR, order, requestId: 'r', quantity } as const;
        const step = (desk.market.step / 10 ** desk.market.assetDecimals) * (cents / 100);
        const below = least * 0.97 - (2 * step) / (future ? 20 : 1);
        if (below > 0) expect(preview(desk, buy(below, { order })).refused?.gate).toBe('below_minimum');
        // Also when the price moves while the amount is typed.
        for (const move of [1, 0.996, 1.004]) {
          desk.quote(Math.round(cents * move) / 100);
          expect(preview(desk, buy(least, { order })).refused).toBeNull();
          expect(preview(desk, byQuantity).refused).toBeNull();
        }
        desk.quote(cents / 100);
        expect(preview(desk, buy(units(available) / 1e8, { order })).refused).toBeNull();
        expect(preview(desk, buy(units(available) / 1e8 + 1, { order })).refused?.gate).toBe('insufficient_balance');
        expect(preview(desk, buy(1e6, { order, limitToAvailable: true })).refused).toBeNull();
      }),
      { numRuns: 200 },
    );
  });

  test('of a short shows leverage, margin, liquidation price and the nearest stop-loss', () => {
    const desk = new Desk({
      ...FUTURES,
      avg_slippage_pct: 0,
      stop_sell: [
        { profit: 3, stop: 50 },
        { profit: 2, stop: 50 },
      ],
    });
    desk.quote(60_000, 60_000.01);
    const short = buy(100, { short: true });
    const found = preview(desk, short);
    expect(found).toMatchObject({
      side: 'sell',
      direction: 'short',
      leverage: 20,
      marginMode: 'isolated',
      refused: null,
    });
    send(desk, short);
    const { holding } = desk.pair;
    expect(found.estimate).toMatchObject({ price: '60000', stopLossPrice: '61200' });
    expect(units(found.estimate?.margin)).toBe(holding.margin);
    expect(units(found.estimate?.cost)).toBeLessThanOrEqual(toUnits(100));
    const liquidation = units(found.estimate?.liquidationPrice);
    expect(liquidation).toBeGreaterThan(toUnits(62_000));
    expect(liquidation).toBeLessThan(toUnits(63_000));
  });

  test('says that nothing would fill when the ask is beyond the limit', () => {
    const desk = new Desk({ avg_slippage_pct: 0 });
    desk.quote(59_400, 60_600);
    const { estimate, refused } = preview(desk, buy(1_000, { slippage: toUnits(0.005) }));
    expect(refused).toBeNull();
    expect(estimate).toMatchObject({ quantity: '0', price: null });
  });

  test('reports before an amount is entered why no order is possible', () => {
    const desk = new Desk();
    desk.quote(60_000);
    const empty = { type: 'buy', pair: PAIR, order: 'taker', requestId: 'r' } as const;
    expect(preview(desk, empty)).toMatchObject({ refused: null, estimate: null, available: '10000' });
    desk.now += 60_000;
    expect(preview(desk, empty).refused?.gate).toBe('no_quote');
    expect(previewOrder(desk.session, { ...empty, pair: 'XRP-USDT' }, desk.now)).toBeNull();
  });
});
