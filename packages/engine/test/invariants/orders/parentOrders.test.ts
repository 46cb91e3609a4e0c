import { floorStep, type Market, notional } from '@heron/engine/market/market.ts';
import { type Price, parseUnits } from '@heron/engine/money/units.ts';
import { feedSession, nextTimer, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { isDust } from '@heron/engine/state/dust.ts';
import type { PairQuote } from '@heron/engine/state/pairQuote.ts';
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

/** Fills of one parent order. */
interface ParentOrderSum {
  sold: number;
  fees: number;
  filled: number;
  taker: boolean;
}

/** Expects a parent order that has ended to have filled at most its target, and an entry to have cost at most its budget. */
function expectWithinTargetAndBudget(market: Market, ended: Note, sum: ParentOrderSum): void {
  expect(sum.filled).toBeLessThanOrEqual(units(ended, 'quantity', market.assetDecimals));
  if (ended.data.kind === 'exit') return;
  const spare = sum.taker ? spareOf(market, String(ended.data.side), units(ended, 'firstPrice'), sum) : 0;
  expect(sum.sold + sum.fees).toBeLessThanOrEqual(units(ended, 'budget') + spare);
}

/** Follows the fills of the parent orders, and expects each order to end within its target and budget. */
class ParentOrderFills {
  /** Number of parent orders that have ended with a fill. */
  ended = 0;
  private readonly sums = new Map<string, ParentOrderSum>();

  follow(market: Market, note: Note): void {
    if (note.kind === 'fill') this.add(market, note);
    const sum = note.kind === 'intent_end' ? this.sums.get(String(note.data.id)) : undefined;
    if (sum === undefined) return;
    this.ended += 1;
    expectWithinTargetAndBudget(market, note, sum);
  }

  private add(market: Market, fill: Note): void {
    const id = String(fill.data.intent);
    const sum = this.sums.get(id) ?? { sold: 0, fees: 0, filled: 0, taker: false };
    const quantity = units(fill, 'quantity', market.assetDecimals);
    sum.sold += notional(market, units(fill, 'price'), quantity);
    sum.fees += units(fill, 'feeQuote');
    sum.filled += quantity;
    sum.taker ||= fill.data.liquidity === 'taker';
    this.sums.set(id, sum);
  }
}

type Quotes = ReadonlyMap<string, PairQuote | null | undefined>;

/** Returns the quotes that the simulated exchange has. */
function quotesOf({ state: { exchange } }: PaperSession): Quotes {
  return new Map(Object.entries(exchange.markets).map(([pair, { quote }]) => [pair, quote]));
}

function crosses(price: Price, buys: boolean, { bid, ask }: PairQuote): boolean {
  return bid > 0 && ask > 0 && (buys ? price >= ask : price <= bid);
}

/**
 * Expects maker orders that a session places from now on not to cross the quote of their pair. An event may place orders both
 * before and after it changes the quote, so each is checked at once.
 */
function expectNoCrosses({ bot: { observer } }: PaperSession): void {
  const { order: report } = observer;
  observer.order = (at, pair, parent, order, status) => {
    report(at, pair, parent, order, status);
    if (status !== 'placing' || order.type !== 'limit_maker') return;
    if (pair.quote === null) throw new Error(`order ${parent.id} of ${pair.pair} is placed without a quote`);
    expect(crosses(order.price, parent.side === 'buy', pair.quote)).toBe(false);
  };
}

/** Expects a taker fill at the best price of the exchange or worse. */
function expectNotBetter(fill: Note, quote: PairQuote | null | undefined): void {
  const buys = fill.data.side === 'buy';
  const best = quote ? (buys ? quote.ask : quote.bid) || quote.last : 0;
  expect(best).toBeGreaterThan(0);
  const price = units(fill, 'price');
  expect(buys ? best - price : price - best).toBeLessThanOrEqual(0);
}

/** Checks the prices of the maker and taker orders of one session. */
class PriceCheck {
  /** Numbers of checked orders and fills. */
  readonly checked = { placed: 0, maker: 0, taker: 0 };
  private readonly limits = new Map<string, Price>();

  check(note: Note, before: Quotes): void {
    const pair = String(note.pair);
    if (isPlacing(note) && note.data.type === 'limit_maker') {
      this.limits.set(String(note.data.clientOrderId), units(note, 'price'));
      this.checked.placed += 1;
    }
    if (note.kind !== 'fill') return;
    if (note.data.liquidity === 'maker') {
      this.checked.maker += 1;
      expect(units(note, 'price')).toBe(this.limits.get(String(note.data.clientOrderId)));
    } else {
      this.checked.taker += 1;
      // A taker order arrives before the event.
      expectNotBetter(note, before.get(pair));
    }
  }
}

/** Expects a placed order to have a quantity on the step size, within the limits of the market. */
function expectValidQuantity(market: Market, placing: Note): void {
  const quantity = units(placing, 'quantity', market.assetDecimals);
  expect(quantity % market.step).toBe(0);
  expect(quantity).toBeGreaterThanOrEqual(market.minQuantity);
  expect(quantity).toBeLessThanOrEqual(market.maxQuantity);
}

/** Expects a limit price above 0 on the tick size, and with `valued` an order value of at least the minimum. */
function expectValidPrice(market: Market, placing: Note, valued: boolean): void {
  const price = units(placing, 'price');
  expect(price % market.tick).toBe(0);
  expect(price).toBeGreaterThan(0);
  if (!valued) return;
  const value = notional(market, price, units(placing, 'quantity', market.assetDecimals));
  expect(value).toBeGreaterThanOrEqual(market.minNotional);
}

/** Follows the open positions by the fills, and expects each fill to belong to its position. */
class OpenPositions {
  /** Number of exit fills. */
  exits = 0;
  private readonly open = new Map<string, { name: string; entrySide: string }>();

  follow({ kind, pair, data }: Note): void {
    if (kind === 'position_closed') this.open.delete(String(pair));
    if (kind !== 'fill') return;
    const side = String(data.side);
    expect(['buy', 'sell']).toContain(side);
    const position = this.open.get(String(pair));
    if (data.kind === 'entry') {
      if (position) expect(side).toBe(position.entrySide);
      else this.open.set(String(pair), { name: String(data.position), entrySide: side });
    } else {
      this.exits += 1;
      expect(position).toBeDefined();
      expect(side).toBe(position?.entrySide === 'buy' ? 'sell' : 'buy');
      expect(data.position).toBe(position?.name);
    }
  }
}

/** Expects a holding on the side of its position, and an exit order of at most the holding. */
function expectExitWithinHolding({ exit, holding, position }: PairState): void {
  if (position !== null && holding.side !== position.direction) expect(holding.side).toBe(position.direction);
  const order = exit?.order;
  if (order) expect(order.quantity - order.filled).toBeLessThanOrEqual(holding.quantity);
}

describe('orders', () => {
  test('I-20: a parent order fills at most its target, an entry costs at most its budget', () => {
    let ended = 0;
    fc.assert(
      fc.property(worlds({ strategies: 'signals' }), (world) => {
        const fills = new ParentOrderFills();
        play(world, (session, notes) => {
          for (const market of world.markets) withinLimits(market, session);
          for (const note of notes) fills.follow(marketIn(world, note), note);
        });
        ended += fills.ended;
      }),
      { numRuns: RUNS },
    );
    expect(ended).toBeGreaterThan(RUNS / 4);
  });

  test('I-21: a parent order has at most one live order, and no client id is used twice', () => {
    let severalLive = 0;
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
          severalLive += 1;
          expect(new Set(intents).size).toBe(intents.length);
        });
      }),
      { numRuns: RUNS },
    );
    expect(severalLive).toBeGreaterThan(RUNS / 4);
  });

  test('I-22: makers fill at their limit, never cross; takers never beat the best price', () => {
    const checked = { placed: 0, maker: 0, taker: 0 };
    fc.assert(
      fc.property(worlds(), (world) => {
        const prices = new PriceCheck();
        let session = startSession(world);
        expectNoCrosses(session);
        for (const event of world.events) {
          const before = quotesOf(session);
          const next = live(session, event);
          if (next.session !== session) expectNoCrosses(next.session);
          session = next.session;
          for (const note of next.notes) prices.check(note, before);
        }
        checked.placed += prices.checked.placed;
        checked.maker += prices.checked.maker;
        checked.taker += prices.checked.taker;
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(checked.placed, checked.maker, checked.taker)).toBeGreaterThan(RUNS / 10);
  });

  test('I-23: every price is on the tick, every quantity on the step, within minimums', () => {
    let priced = 0;
    fc.assert(
      fc.property(worlds({ strategies: 'signals' }), (world) => {
        const exits = new Set<string>();
        play(world, (session, notes) => {
          for (const { kind, data } of notes) {
            if (kind === 'intent' && data.kind === 'exit') exits.add(String(data.id));
          }
          for (const note of notes.filter(isPlacing)) {
            const market = marketIn(world, note);
            expectValidQuantity(market, note);
            if (note.data.price === null) continue;
            priced += 1;
            // An order that reduces a futures position has no minimum order value.
            const reduces = session.bot.rules.future && exits.has(String(note.data.intent));
            expectValidPrice(market, note, !reduces);
          }
        });
      }),
      { numRuns: RUNS },
    );
    expect(priced).toBeGreaterThan(RUNS / 4);
  });

  test('I-24: an exit never oversells, and the other side begins after the close', () => {
    let exits = 0;
    fc.assert(
      fc.property(worlds({ strategies: 'signals' }), (world) => {
        const positions = new OpenPositions();
        play(world, (session, notes) => {
          for (const note of notes) {
            positions.follow(note);
            if (note.kind === 'position_closed') expect(isRemainder(session, world, note)).toBe(true);
          }
          for (const pair of session.state.bot.pairs) expectExitWithinHolding(pair);
        });
        exits += positions.exits;
      }),
      { numRuns: RUNS },
    );
    expect(exits).toBeGreaterThan(RUNS / 4);
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
function quoteEverySecond(
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
    let closed = 0;
    fc.assert(
      fc.property(anyWorld, (world) => {
        const whole = new Set<string>();
        const session = play(world);
        const pair = session.state.bot.pairs[0];
        const see = (notes: readonly Note[]) => {
          if (pair?.exit?.all) whole.add(`${pair.exit.id}`);
          for (const { kind, data } of notes) {
            if (kind === 'intent_end' && data.how === 'filled' && whole.has(String(data.id))) {
              closed += 1;
              expect(notes.some((note) => note.kind === 'position_closed')).toBe(true);
            }
          }
        };
        see([]);
        // This is ten rounds of at most ten seconds and one second as taker, twice, because an exit may wait for an entry.
        quoteEverySecond(session, world, endOf(world), 250, see);
        expect([pair?.entry, pair?.exit]).toEqual([null, null]);
        expect(session.state.exchange.orders).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(closed).toBeGreaterThan(RUNS / 50);
  });

  test('I-26: an exit without a quote raises an alarm repeatedly', () => {
    let unfilled = 0;
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
        unfilled += 1;
        const tradable = floorStep(market, pair.holding.quantity);
        expect(isDust(session.bot, market, pair.mark, tradable)).toBe(false);
        expect(notes.filter(({ kind }) => kind === 'alarm').length).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: RUNS },
    );
    expect(unfilled).toBeGreaterThan(RUNS / 100);
  });
});
