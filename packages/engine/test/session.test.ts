import { marketOf } from '@heron/engine/market/market.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import {
  createPaperSession,
  feedSession,
  nextTimer,
  type PaperSession,
  restoreSession,
  saveSession,
} from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Generated } from './generated.ts';
import { options, START } from './harness.ts';
import { PhaseHistory } from './phaseHistory.ts';

const MINUTE = 60_000;
const market = marketOf({
  pair: 'SOL-USDT',
  tickSize: 0.01,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1e6,
  minNotional: 5,
});

/** A random market: a walk with jumps, spreads of one or more ticks, trades, candles of the same ticks, manual orders. */
const world = fc.record({
  moves: fc.array(
    fc.record({
      step: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: -60, max: 60 }) },
        { weight: 1, arbitrary: fc.integer({ min: -1500, max: 1500 }) },
      ),
      spread: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 })),
      size: fc.integer({ min: 1, max: 5000 }),
      gap: fc.integer({ min: 1, max: 4_000 }),
      trade: fc.boolean(),
      hand: fc.integer({ min: 0, max: 60 }),
    }),
    { minLength: 20, maxLength: 120 },
  ),
  maker: fc.boolean(),
  buyPct: fc.integer({ min: 1, max: 100 }),
  stop: fc.integer({ min: 1, max: 50 }),
  markdown: fc.integer({ min: -20, max: 20 }),
});
type World = Generated<typeof world>;

function eventsOf({ moves }: World): MarketEvent[] {
  const events: MarketEvent[] = [];
  let ticks = 10_000;
  let at = START;
  let candle = { time: START, open: 100, high: 100, low: 100, close: 100, volume: 0 };
  events.push({ type: 'command', at, command: { type: 'start' } });
  const history = Array.from({ length: 120 }, (_, i) => {
    const price = 100 + Math.sin(i / 7) * 2;
    return {
      time: START - (120 - i) * MINUTE,
      open: price,
      high: price + 0.1,
      low: price - 0.1,
      close: price,
      volume: 1,
    };
  });
  events.push({ type: 'history', at, market, candles: history });
  moves.forEach((move, index) => {
    at += move.gap;
    ticks = Math.max(100, ticks + move.step);
    const bid = ticks * market.tick;
    const ask = bid + move.spread * market.tick;
    events.push({
      type: 'quote',
      pair: market.pair,
      at,
      bid,
      bidSize: move.size * market.step,
      ask,
      askSize: move.size * market.step,
      last: bid,
    });
    if (move.trade)
      events.push({ type: 'trade', pair: market.pair, at, price: bid, quantity: move.size * market.step });
    if (move.hand === 1)
      events.push({
        type: 'command',
        at,
        command: { type: 'buy', pair: market.pair, order: 'maker', value: toUnits(500), requestId: `b${index}` },
      });
    if (move.hand === 2)
      events.push({
        type: 'command',
        at,
        command: { type: 'sell', pair: market.pair, order: 'taker', percent: 50, requestId: `s${index}` },
      });
    const price = ticks / 100;
    // Candles are compressed in time so that a short walk closes many of them.
    if (index % 3 === 2) {
      candle = { ...candle, high: Math.max(candle.high, price), low: Math.min(candle.low, price), close: price };
      events.push({ type: 'candle', at, pair: market.pair, candle });
      candle = { time: candle.time + MINUTE, open: price, high: price, low: price, close: price, volume: 1 };
    }
  });
  return events;
}

function start(given: World) {
  return createPaperSession({
    id: 'fuzzed',
    options: options({
      watch_pairs: 'SOL-USDT',
      strategy: 'ema_cross',
      period: '1m',
      min_periods: 18,
      order_type: given.maker ? 'maker' : 'taker',
      buy_pct: given.buyPct,
      stop_sell: [{ profit: given.stop / 10, stop: 100 }],
      markdown_buy_pct: given.markdown / 10,
      max_buy_loss_pct: 0,
      poll_scan_time: 1_000,
    }),
    params: { fast: 2, slow: 5, band: 0 },
  });
}

describe('paper session', () => {
  test('I-3, I-34: saved and restored at every event it continues unchanged', () => {
    fc.assert(
      fc.property(world, (given) => {
        const whole = start(given);
        let cut = start(given);
        for (const event of eventsOf(given)) {
          const expected = feedSession(whole, event);
          cut = restoreSession(saveSession(cut));
          expect(feedSession(cut, structuredClone(event)).notes).toEqual(expected.notes);
        }
        expect(saveSession(cut)).toBe(saveSession(whole));
      }),
      { numRuns: 150 },
    );
  });

  test('I-1, I-2, I-4, I-20 to I-24, I-27, I-37 hold: money, orders and phases are valid', () => {
    let fills = 0;
    fc.assert(
      fc.property(world, (given) => {
        const session = start(given);
        const sums = new CashAndQuantity(session.state.bot.wallet.start);
        const phases = new PhaseHistory();
        for (const event of eventsOf(given)) {
          const { notes } = feedSession(session, event);
          for (const note of notes) {
            sums.add(note);
            expectOnTickAndStep(note);
          }
          phases.follow(notes);
          expectBooksOfFills(session, sums);
          const { entry, exit } = pairIn(session);
          expect([entry, exit].filter((parent) => parent?.order).length).toBeLessThanOrEqual(2);
          expect(saveSession(session)).not.toMatch(/-0[,}\]]/);
        }
        fills += sums.count;
      }),
      { numRuns: 400 },
    );
    expect(fills).toBeGreaterThan(400);
  });

  test('I-6: at a constant quote equity never rises, whatever is traded', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 1, max: 50 }), (given, spread) => {
        const session = start(given);
        let last = session.state.bot.wallet.start;
        for (const event of eventsOf(given)) {
          const still =
            event.type === 'quote'
              ? {
                  ...event,
                  bid: 10_000 * market.tick,
                  ask: (10_000 + spread) * market.tick,
                  last: 10_000 * market.tick,
                }
              : event.type === 'trade'
                ? { ...event, price: 10_000 * market.tick }
                : event;
          feedSession(session, still);
          const equity = equityOf(session.bot);
          expect(equity).toBeLessThanOrEqual(last);
          last = equity;
        }
      }),
      { numRuns: 200 },
    );
  });

  test('I-26: with a market that continues, every parent order ends', () => {
    fc.assert(
      fc.property(world, (given) => {
        const session = start(given);
        const events = eventsOf(given);
        for (const event of events) feedSession(session, event);
        let at = events.at(-1)?.at ?? START;
        feedSession(session, { type: 'command', at, command: { type: 'stop' } });
        for (let i = 0; i < 400 && session.state.bot.status !== 'finished'; i++) {
          at = Math.max(at + 1, nextTimer(session) ?? at + 1_000);
          feedSession(session, { type: 'timer', at });
        }
        expect(session.state.bot.status).toBe('finished');
        expect(session.state.exchange.orders).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

function pairIn({ state }: PaperSession): PairState {
  const [pair] = state.bot.pairs;
  if (!pair) throw new Error('no pair');
  return pair;
}

const quantityUnits = (text: unknown) => toUnits(Number(text), market.assetDecimals);

/** Cash and quantity of the bot, computed from its fills without its ledger. */
class CashAndQuantity {
  cash: number;
  quantity = 0;
  /** Number of fills. */
  count = 0;

  constructor(cash: number) {
    this.cash = cash;
  }

  add({ kind, data }: Note): void {
    if (kind !== 'fill') return;
    this.count += 1;
    const size = quantityUnits(data.quantity);
    const fee = data.feeAsset === 'SOL' ? quantityUnits(data.fee) : toUnits(Number(data.fee));
    const unit = BigInt(10 ** market.assetDecimals);
    const value = Number((BigInt(toUnits(Number(data.price))) * BigInt(size) + unit / 2n) / unit);
    this.cash += data.side === 'buy' ? -value : value - fee;
    this.quantity += data.side === 'buy' ? size - fee : -size;
  }
}

/** Expects every fill and every placed order to have a price on the tick size and a quantity on the step size. */
function expectOnTickAndStep({ kind, data }: Note): void {
  const placed = kind === 'order' && data.status === 'placing';
  if (placed && data.price !== null) expect(toUnits(Number(data.price)) % market.tick).toBe(0);
  if (placed || kind === 'fill') expect(quantityUnits(data.quantity) % market.step).toBe(0);
}

/** Expects wallet and holding to equal the fills, neither below zero, and an equity of start, realised and unrealised PnL. */
function expectBooksOfFills(session: PaperSession, { cash, quantity }: CashAndQuantity): void {
  const { wallet } = session.state.bot;
  const { holding, quote } = pairIn(session);
  expect(wallet.quote).toBe(cash);
  expect(holding.quantity).toBe(quantity);
  expect(cash).toBeGreaterThanOrEqual(0);
  expect(quantity).toBeGreaterThanOrEqual(0);
  if (!quote) return;
  const equity = equityOf(session.bot);
  const value = equity - wallet.quote;
  expect(equity - wallet.start).toBe(holding.realised + (value - holding.cost));
}
