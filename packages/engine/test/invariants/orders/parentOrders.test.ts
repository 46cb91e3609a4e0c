import { floorStep, type Market, notional } from '@heron/engine/market/market.ts';
import { parseUnits } from '@heron/engine/money/units.ts';
import { feedSession, nextTimer, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { isDust } from '@heron/engine/state/dust.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS } from '../runs.ts';
import { live, play, startSession, type World, worlds } from '../world.ts';

const units = (note: Note, key: string, decimals?: number) => parseUnits(String(note.data[key]), decimals) as number;
const marketIn = ({ markets }: World, note: Note) => markets.find(({ pair }) => pair === note.pair) as Market;
/** Upper limit of the fee rates of generated worlds. */
const MOST_FEE = 0.01;
const isPlacing = ({ kind, data }: Note) => kind === 'order' && data.status === 'placing';

/**
 * Returns the amount by which a taker may exceed its budget. Rounding adds up to one tick. A short is sized at the mid price, so
 * a market that rises before the order arrives gives a higher price and requires more margin.
 */
function spareOf(market: Market, side: string, firstPrice: number, { sold, filled }: { sold: number; filled: number }) {
  const gain = side === 'sell' ? Math.max(0, sold - notional(market, firstPrice, filled)) : 0;
  return notional(market, market.tick, filled) + Math.ceil(gain * (1 + MOST_FEE));
}

/** Expects the parent orders of a market to stay within target and budget. */
function withinLimits(market: Market, session: PaperSession): void {
  for (const { pair, entry, exit } of session.state.bot.pairs) {
    if (pair !== market.pair) continue;
    for (const parent of [entry, exit]) if (parent) expect(parent.filled).toBeLessThanOrEqual(parent.target);
    if (entry === null) continue;
    const { urgency, side, firstPrice, notional: sold, filled } = entry;
    const spare = urgency === 'taker' ? spareOf(market, side, firstPrice, { sold, filled }) : 0;
    expect(entry.notional + entry.feeQuote).toBeLessThanOrEqual(entry.budget + spare);
  }
}

describe('orders', () => {
  test('I-20: a parent order fills at most its target, an entry costs at most its budget', () => {
    fc.assert(
      fc.property(worlds({ strategies: 'signals' }), (world) => {
        const spent = new Map<string, { sold: number; fees: number; filled: number; taker: boolean }>();
        play(world, (session, notes) => {
          for (const market of world.markets) withinLimits(market, session);
          for (const note of notes) {
            if (note.kind === 'fill') {
              const market = marketIn(world, note);
              const id = String(note.data.intent);
              const sum = spent.get(id) ?? { sold: 0, fees: 0, filled: 0, taker: false };
              const quantity = units(note, 'quantity', market.assetDecimals);
              sum.sold += notional(market, units(note, 'price'), quantity);
              sum.fees += units(note, 'feeQuote');
              sum.filled += quantity;
              sum.taker ||= note.data.liquidity === 'taker';
              spent.set(id, sum);
            }
            if (note.kind !== 'intent_end') continue;
            const market = marketIn(world, note);
            const sum = spent.get(String(note.data.id));
            if (sum === undefined) continue;
            expect(sum.filled).toBeLessThanOrEqual(units(note, 'quantity', market.assetDecimals));
            if (note.data.kind === 'exit') continue;
            const spare = sum.taker ? spareOf(market, String(note.data.side), units(note, 'firstPrice'), sum) : 0;
            expect(sum.sold + sum.fees).toBeLessThanOrEqual(units(note, 'budget') + spare);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-21: a parent order has at most one live order, and no client id is used twice', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const used = new Set<string>();
        play(world, (session, notes) => {
          for (const note of notes.filter(isPlacing)) {
            const name = String(note.data.clientOrderId);
            expect(used.has(name)).toBe(false);
            expect(name.length).toBeLessThanOrEqual(36);
            used.add(name);
          }
          const intents = session.state.exchange.orders.map(({ clientOrderId }) => clientOrderId.split('-')[1]);
          if (intents.length < 2) return;
          expect(new Set(intents).size).toBe(intents.length);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-22: makers fill at their limit, never cross; takers never beat the best price', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const limits = new Map<string, number>();
        let session = startSession(world);
        for (const event of world.events) {
          const before = new Map(session.state.bot.pairs.map(({ pair, quote }) => [pair, quote]));
          const known = new Map(
            Object.entries(session.state.exchange.markets).map(([pair, { quote }]) => [pair, quote]),
          );
          const next = live(session, event);
          session = next.session;
          for (const note of next.notes) {
            const { data } = note;
            const pair = String(note.pair);
            const buys = data.side === 'buy';
            if (isPlacing(note) && data.type === 'limit_maker') {
              const price = units(note, 'price');
              limits.set(String(data.clientOrderId), price);
              const now = event.type === 'quote' && event.pair === pair && note.at === event.at ? event : null;
              const crosses = [before.get(pair), now].map(
                (quote) =>
                  !quote || (quote.bid > 0 && quote.ask > 0 && (buys ? price >= quote.ask : price <= quote.bid)),
              );
              // A timer may run just before a quote of the same time.
              expect(crosses.every((crossed) => crossed)).toBe(false);
            }
            if (note.kind !== 'fill') continue;
            if (data.liquidity === 'maker') {
              expect(units(note, 'price')).toBe(limits.get(String(data.clientOrderId)));
              continue;
            }
            // A taker order arrives before the event.
            const quote = known.get(pair);
            const touch = quote ? (buys ? quote.ask : quote.bid) || quote.last : 0;
            expect(touch).toBeGreaterThan(0);
            const better = buys ? touch - units(note, 'price') : units(note, 'price') - touch;
            expect(better).toBeLessThanOrEqual(0);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('I-23: every price is on the tick, every quantity on the step, within minimums', () => {
    fc.assert(
      fc.property(worlds({ strategies: 'signals' }), (world) => {
        const exits = new Set<string>();
        play(world, (session, notes) => {
          for (const { kind, data } of notes) {
            if (kind === 'intent' && data.kind === 'exit') exits.add(String(data.id));
          }
          for (const note of notes.filter(isPlacing)) {
            const market = marketIn(world, note);
            const quantity = units(note, 'quantity', market.assetDecimals);
            expect(quantity % market.step).toBe(0);
            expect(quantity).toBeGreaterThanOrEqual(market.minQuantity);
            expect(quantity).toBeLessThanOrEqual(market.maxQuantity);
            if (note.data.price === null) continue;
            const price = units(note, 'price');
            expect(price % market.tick).toBe(0);
            expect(price).toBeGreaterThan(0);
            // An order that reduces a futures position has no minimum order value.
            if (session.bot.rules.future && exits.has(String(note.data.intent))) continue;
            expect(notional(market, price, quantity)).toBeGreaterThanOrEqual(market.minNotional);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-24: an exit never oversells, and the other side begins after the close', () => {
    fc.assert(
      fc.property(worlds({ strategies: 'signals' }), (world) => {
        const held = new Map<string, { name: string; long: boolean }>();
        play(world, (session, notes) => {
          for (const note of notes) {
            const pair = String(note.pair);
            if (note.kind === 'position_closed') {
              held.delete(pair);
              expect(isRemainder(session, world, note)).toBe(true);
            }
            if (note.kind !== 'fill') continue;
            const open = held.get(pair);
            if (note.data.kind === 'entry') {
              const long = note.data.side === 'buy';
              if (open) expect(long).toBe(open.long);
              else held.set(pair, { name: String(note.data.position), long });
            } else {
              expect(open).toBeDefined();
              expect(note.data.side).toBe(open?.long ? 'sell' : 'buy');
              expect(note.data.position).toBe(open?.name);
            }
          }
          for (const { exit, holding, position } of session.state.bot.pairs) {
            if (position !== null && holding.side !== position.direction) expect(holding.side).toBe(position.direction);
            const order = exit?.order;
            if (order) expect(order.quantity - order.filled).toBeLessThanOrEqual(holding.quantity);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });
});

/** Returns whether the remainder of a closed position is too small to trade, at half of the last known price. */
function isRemainder(session: PaperSession, world: World, closed: Note): boolean {
  const market = marketIn(world, closed);
  const pair = session.state.bot.pairs.find((candidate) => candidate.pair === closed.pair);
  const left = units(closed, 'dust', market.assetDecimals);
  // The price may have risen since, in the same event.
  return isDust(session.bot, market, Math.round((pair?.mark ?? 0) / 2), left);
}

/** Quotes every pair each second for `seconds`, with a spread of one tick at its last price. */
function goOn(
  session: PaperSession,
  world: World,
  from: number,
  seconds: number,
  see: (notes: readonly Note[]) => void,
) {
  const last = new Map(session.state.bot.pairs.map(({ pair, mark }) => [pair, mark]));
  for (let i = 1; i <= seconds; i++) {
    const at = from + i * 1_000;
    for (const { pair, tick } of world.markets) {
      const bid = Math.max(tick, last.get(pair) ?? 0);
      const book = { bid, bidSize: 0, ask: bid + tick, askSize: 0, last: bid };
      see(feedSession(session, { type: 'quote', pair, at, ...book }).notes);
    }
  }
}

describe('every parent order ends', () => {
  const anyWorld = worlds({ pairs: 1, moves: 25, strategies: 'signals' });
  const endOf = ({ events }: World) => events.at(-1)?.at ?? 0;

  test('I-26: while the market continues, and an exit of everything ends flat', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const whole = new Set<string>();
        const session = play(world);
        const pair = session.state.bot.pairs[0];
        const see = (notes: readonly Note[]) => {
          if (pair?.exit?.all) whole.add(`${pair.exit.id}`);
          for (const { kind, data } of notes) {
            if (kind === 'intent_end' && data.how === 'filled' && whole.has(String(data.id))) {
              expect(notes.some((note) => note.kind === 'position_closed')).toBe(true);
            }
          }
        };
        see([]);
        // This is ten rounds of at most ten seconds and one second as taker, twice, because an exit may wait for an entry.
        goOn(session, world, endOf(world), 250, see);
        expect([pair?.entry, pair?.exit]).toEqual([null, null]);
        expect(session.state.exchange.orders).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('I-26: an exit without a quote raises an alarm repeatedly', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const session = play(world);
        const pair = session.state.bot.pairs[0];
        const { market } = pair ?? {};
        if (!pair?.exit || !market) return;
        const end = endOf(world) + 240_000;
        const { id } = pair.exit;
        const notes: Note[] = [];
        for (let at = nextTimer(session); at !== null && at <= end; at = nextTimer(session)) {
          notes.push(...feedSession(session, { type: 'timer', at }).notes);
        }
        if (pair.exit?.id !== id || pair.entry !== null) return;
        const tradable = floorStep(market, pair.holding.quantity);
        expect(isDust(session.bot, market, pair.mark, tradable)).toBe(false);
        expect(notes.filter(({ kind }) => kind === 'alarm').length).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: RUNS },
    );
  });
});
