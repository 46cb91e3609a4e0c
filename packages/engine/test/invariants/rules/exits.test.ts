import { floorStep, type Market, meetsMinimums, notional } from '@heron/engine/market/market.ts';
import { type Price, percentRatio, toUnits } from '@heron/engine/money/units.ts';
import type { ExitRow } from '@heron/engine/options/item.ts';
import { type PositionLevel, positionLevels } from '@heron/engine/session/positionLevels.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { altMarket } from '../../arbitraries.ts';
import type { Generated } from '../../generated.ts';
import { type RequestedOrder, Wire } from '../../wire.ts';
import { RUNS } from '../runs.ts';

const ALT = altMarket();
const WHOLE = 100_000_000n;

const percents = (min: number, max: number) =>
  fc.integer({ min: min * 10, max: max * 10 }).map((tenths) => tenths / 10);
const stop = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 }));
const table = (profit: fc.Arbitrary<number>, maxLength = 4) =>
  fc.uniqueArray(fc.record({ profit, stop }), { maxLength, selector: (row) => row.profit });

/** Prices around 100 in ticks: walks, jumps, and prices that return. */
const path = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: -60, max: 60 }) },
      { weight: 2, arbitrary: fc.integer({ min: -400, max: 400 }) },
      { weight: 1, arbitrary: fc.integer({ min: -2_000, max: 2_000 }) },
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((steps) => {
    let ticks = 10_000;
    return steps.map((step) => {
      ticks = Math.max(100, ticks + step);
      return ticks * ALT.tick;
    });
  });

/** Generates bots with an entry at 100, enough allowed slippage to fill, and random exit tables and guards. */
const desks = fc.record({
  stopSell: table(percents(0.1, 25)),
  trailing: table(percents(0.1, 25), 2),
  profitWin: table(percents(0.1, 60)),
  callback: table(fc.integer({ min: 1, max: 99 })),
  start: fc.integer({ min: 0, max: 40 }),
  leverage: fc.constantFrom(1, 1, 2, 3, 7),
  direction: fc.constantFrom<1 | -1>(1, -1),
  maker: fc.boolean(),
  minBuy: fc.constantFrom<number>(0, 10, 100),
  value: fc.constantFrom<number>(60, 500, 3_000),
  twice: fc.boolean(),
  maxSellLoss: fc.constantFrom(0, 0.5, 5),
  maxSlippage: fc.constantFrom(0.1, 2),
  path,
});
type Desk = Generated<typeof desks>;

function open(desk: Desk, stopSell: readonly ExitRow[] = desk.stopSell) {
  const future = desk.leverage > 1;
  const direction = future ? desk.direction : 1;
  const wire = new Wire(ALT, {
    ...(future ? { exchange: 'binanceusdm', leverage: desk.leverage, market: 'both' } : {}),
    stop_sell: stopSell,
    trailing_stop: desk.trailing,
    profit_win: desk.profitWin,
    profit_callback: desk.callback,
    profit_callback_start: desk.start,
    order_type: desk.maker ? 'maker' : 'taker',
    min_buy_size: desk.minBuy,
    max_sell_loss_pct: desk.maxSellLoss,
    max_slippage_pct: desk.maxSlippage,
  });
  const at = 100e8;
  for (const price of desk.twice ? [at, at + ALT.tick] : [at]) {
    // The reference price must not trigger an exit before the position is complete.
    wire.quote(direction === 1 ? price : price - ALT.tick, direction === 1 ? price + ALT.tick : price, 1_000);
    wire.enter(desk.value, 'taker', direction);
    const entry = wire.asked.at(-1) as RequestedOrder;
    wire.deliver(wire.fillOf(entry, entry.quantity, price));
    wire.ended(entry, 'filled');
  }
  return { wire, direction };
}

/** Sends a quote one tick wide, with X on the side that is the reference of `direction`. */
function quoteX(wire: Wire, direction: 1 | -1, x: Price): void {
  wire.quote(direction === 1 ? x : x - ALT.tick, direction === 1 ? x + ALT.tick : x, 1_000);
}

interface Model {
  peak: Price;
  fired: Set<string>;
}

/** The reference price `x` of a position. */
interface Reference {
  direction: 1 | -1;
  entry: Price;
  x: Price;
}

/** Returns the rows due at the reference price by docs/exits.md, table by table, in exact fractions without engine code. */
function due(desk: Desk, leverage: number, { direction, entry, x }: Reference, model: Model) {
  const d = BigInt(direction);
  const [e, l] = [BigInt(entry), BigInt(leverage)];
  const gain = d * (BigInt(x) - e);
  const best = d * (BigInt(model.peak) - e);
  const ratio = (percent: number) => BigInt(percentRatio(percent));
  const fresh = (name: string) => (row: ExitRow) => !model.fired.has(`${name}${row.profit}`);
  const stops = desk.stopSell.filter((row) => gain * WHOLE <= -ratio(row.profit) * e).filter(fresh('stop'));
  // The trailing stop-loss follows the best price, the entry price included.
  const top = best > 0n ? BigInt(model.peak) : e;
  const fall = d * (BigInt(x) - top);
  const trails = desk.trailing.filter((row) => fall * WHOLE <= -ratio(row.profit) * top).filter(fresh('trail'));
  const wins = desk.profitWin.filter((row) => gain * l * WHOLE >= ratio(row.profit) * e).filter(fresh('win'));
  const armed = best * l * WHOLE >= ratio(desk.start) * e;
  const backs = desk.callback.filter((row) => armed && gain * WHOLE <= best * ratio(row.profit)).filter(fresh('back'));
  return [
    { name: 'stop', reason: 'stop_sell', rows: stops },
    { name: 'trail', reason: 'trailing_stop', rows: trails },
    { name: 'win', reason: 'profit_win', rows: wins },
    { name: 'back', reason: 'profit_callback', rows: backs },
  ].filter(({ rows }) => rows.length > 0);
}

function isDust(market: Market, future: boolean, quantity: number, x: Price): boolean {
  const tradable = floorStep(market, quantity);
  return future ? tradable < market.minQuantity : !meetsMinimums(market, x, tradable);
}

/** Returns the part of `held` that the rows sell, or all of it where that part or the rest would be dust. */
function share(desk: Desk, market: Market, held: number, rows: readonly ExitRow[], x: Price) {
  const future = desk.leverage > 1;
  let remaining = BigInt(held);
  for (const row of rows) remaining *= WHOLE - BigInt(percentRatio(row.stop));
  const all = WHOLE ** BigInt(rows.length);
  const sold = floorStep(market, Number((BigInt(held) * all - remaining) / all));
  const left = held - sold;
  const dust = isDust(market, future, left, x) || isDust(market, future, sold, x);
  return dust || notional(market, x, left) < toUnits(desk.minBuy) ? floorStep(market, held) : sold;
}

type DueTable = ReturnType<typeof due>[number];

/** A position of a bot beside the model of its exit tables. */
class ModelledPosition {
  /** Number of exits so far. */
  exits = 0;
  private readonly wire: Wire;
  private readonly desk: Desk;
  private readonly direction: 1 | -1;
  private readonly model: Model;

  constructor(desk: Desk) {
    const { wire, direction } = open(desk);
    this.desk = desk;
    this.wire = wire;
    this.direction = direction;
    // The quote of the second entry was the first one for the position.
    this.model = { peak: desk.twice ? 100e8 + ALT.tick : 0, fired: new Set() };
  }

  /** Whether the position is closed, or the liquidation guard closes it, which is not part of the model. */
  get over(): boolean {
    const { position, exit } = this.wire.pair;
    return position === null || exit?.reason === 'liquidation_guard';
  }

  /** Quotes `x` and expects the exit of the model, or none. */
  expectReaction(x: Price): void {
    const { wire, direction } = this;
    const expected = this.exitAt(x);
    const before = wire.asked.length;
    quoteX(wire, direction, x);
    const order = wire.asked[before];
    // The guard precedes the tables.
    if (wire.pair.exit?.reason === 'liquidation_guard') return;
    if (expected === undefined) expect(order).toBeUndefined();
    else this.expectExit(expected, order, x);
  }

  /** Returns the first due table at `x` whose share can be traded, and the quantity that it sells. */
  private exitAt(x: Price): (DueTable & { quantity: number }) | undefined {
    const { desk, direction, model } = this;
    const { entryPrice, leverage, quantity: held } = this.wire.pair.holding;
    if (model.peak === 0 || direction * (x - model.peak) > 0) model.peak = x;
    return (
      due(desk, leverage, { direction, entry: entryPrice, x }, model)
        .map((table) => ({ ...table, quantity: share(desk, ALT, held, table.rows, x) }))
        // A position that is too small to trade as a whole waits.
        .find(({ quantity }) => !isDust(ALT, desk.leverage > 1, quantity, x))
    );
  }

  /** Expects the order of a due table, fills it at `x`, and expects the position to be closed if a row sells everything. */
  private expectExit(
    { name, reason, rows, quantity }: DueTable & { quantity: number },
    order: RequestedOrder | undefined,
    x: Price,
  ): void {
    const { wire, model } = this;
    this.exits += 1;
    expect(wire.pair.exit?.reason).toBe(reason);
    expect(order?.quantity).toBe(quantity);
    for (const row of rows) model.fired.add(`${name}${row.profit}`);
    if (order === undefined) return;
    wire.deliver(wire.fillOf(order, order.quantity, x));
    wire.ended(order, 'filled');
    expect(wire.pair.exit).toBeNull();
    if (rows.some((row) => row.stop === 100)) expect(wire.pair.position).toBeNull();
  }
}

describe('exit tables', () => {
  test('I-29: rows trigger by their rule, once per position, and sell their share', () => {
    let exits = 0;
    fc.assert(
      fc.property(desks, (desk) => {
        const position = new ModelledPosition(desk);
        for (const x of desk.path) {
          if (position.over) break;
          position.expectReaction(x);
        }
        exits += position.exits;
      }),
      { numRuns: RUNS },
    );
    expect(exits).toBeGreaterThan(RUNS / 4);
  });

  test("I-30: another stop_sell row, or a lower one, never raises the first exit's loss", () => {
    const tighter = fc.record({ extra: percents(0.1, 25), lower: fc.integer({ min: 1, max: 99 }), add: fc.boolean() });
    fc.assert(
      fc.property(desks, tighter, (drawn, { extra, lower, add }) => {
        const desk = { ...drawn, trailing: [], profitWin: [], callback: [], minBuy: 0, value: 3_000 };
        const [first, ...others] = desk.stopSell;
        const lowered = first && { ...first, profit: Math.max(0.1, Math.round(first.profit * lower) / 100) };
        const stricter = add || !lowered ? [...desk.stopSell, { profit: extra, stop: 50 }] : [lowered, ...others];
        fc.pre(new Set(stricter.map(({ profit }) => profit)).size === stricter.length);
        const losses = [desk.stopSell, stricter].map((rows) => firstLoss(desk, rows));
        expect(losses[1]).toBeLessThanOrEqual(losses[0] as number);
      }),
      { numRuns: RUNS },
    );
  });

  test('I-31: risk exits sell at once, despite max_sell_loss_pct and max_slippage_pct', () => {
    let exits = 0;
    fc.assert(
      fc.property(desks, fc.integer({ min: 3_000, max: 9_000 }), (drawn, drop) => {
        const desk = { ...drawn, stopSell: [{ profit: 5, stop: 100 }], profitWin: [], callback: [], minBuy: 0 };
        const { wire, direction } = open(desk);
        // The price jumps far beyond every guard, then the book falls further while the order is in flight.
        const x = Math.round((100e8 * (1 - (direction * drop) / 10_000)) / ALT.tick) * ALT.tick;
        const before = wire.asked.length;
        quoteX(wire, direction, x);
        const order = wire.asked[before];
        if (!desk.twice && desk.value === 60 && wire.pair.position === null) return;
        exits += 1;
        expect(order).toMatchObject({ type: 'place', order: 'market' });
        expect(wire.notes.filter(({ kind }) => kind === 'refusal')).toEqual([]);
        if (order === undefined) return;
        // Half of the order fills; the rest is sent again without a limit price until it is filled.
        const half = floorStep(ALT, order.quantity / 2);
        wire.deliver(wire.fillOf(order, half, x));
        wire.ended(order, 'expired');
        quoteX(wire, direction, Math.max(ALT.tick * 10, x - direction * 500 * ALT.tick));
        wire.wait(1_000);
        const rest = wire.asked[before + 1];
        if (wire.pair.position !== null)
          expect(rest).toMatchObject({ order: 'market', quantity: order.quantity - half });
      }),
      { numRuns: RUNS },
    );
    expect(exits).toBeGreaterThan(RUNS / 2);
  });
});

/** Returns the exit levels of the position. */
function levelsOf(wire: Wire): PositionLevel[] {
  const { position } = wire.pair;
  return position === null ? [] : positionLevels(wire.bot, wire.pair, position, ALT);
}

/** Creates a wire whose price has moved without any exit. */
function walked(desk: Desk) {
  const { wire, direction } = open(desk);
  for (const x of desk.path) {
    // The price stays two ticks away from every level that sells.
    const near = levelsOf(wire).some(
      ({ kind, price }) => kind !== 'arm' && direction * (kind === 'win' ? x - price : price - x) >= -2 * ALT.tick,
    );
    if (near) continue;
    quoteX(wire, direction, x);
    if (wire.pair.exit !== null) break;
  }
  return { wire, direction };
}

const TABLES = { stop: 'stopSell', trail: 'trailingStop', win: 'profitWin', callback: 'callback' } as const;
const REASONS = { stop: 'stop_sell', trail: 'trailing_stop', win: 'profit_win', callback: 'profit_callback' } as const;
/** Exit rules in order of precedence. @see docs/exits.md#common-rules */
const ORDER = ['liquidation_guard', 'stop_sell', 'trailing_stop', 'profit_win', 'profit_callback'];

/** Returns the price at which a level acts, and the price one tick earlier on the way to it. */
function pricesAround({ kind, price }: PositionLevel, direction: 1 | -1): { at: Price; before: Price } {
  // The guard uses the mark price, here the bid, which for a short is one tick below its reference price.
  const at = price + (kind === 'guard' && direction === -1 ? ALT.tick : 0);
  const forUs = kind === 'win' || kind === 'arm';
  return { at, before: at + (forUs ? -direction : direction) * ALT.tick };
}

/** Returns whether a level of the walked position acts at `x`, or a rule that precedes it. */
function reactionTo({ kind, row }: PositionLevel, desk: Desk, x: Price): 'it' | 'something earlier' | 'nothing' {
  const { wire, direction } = walked(desk);
  quoteX(wire, direction, x);
  const { exit, position } = wire.pair;
  if (kind === 'guard') return exit?.reason === 'liquidation_guard' ? 'it' : 'nothing';
  if (kind === 'arm') return levelsOf(wire).some((level) => level.kind === 'arm') ? 'nothing' : 'it';
  const fired = position?.fired[TABLES[kind]] ?? 0;
  if ((fired & (1 << (row as number))) !== 0) return 'it';
  const earlier = ORDER.slice(0, ORDER.indexOf(REASONS[kind]));
  return exit !== null && earlier.includes(exit.reason) ? 'something earlier' : 'nothing';
}

describe('the levels of a position', () => {
  test('act at the reported price, and not one tick before it', () => {
    const met = new Map<string, number>();
    fc.assert(
      fc.property(desks, fc.nat(), (drawn, pick) => {
        const desk = { ...drawn, value: 3_000, minBuy: 0 };
        const { wire, direction } = walked(desk);
        const levels = levelsOf(wire);
        fc.pre(levels.length > 0 && wire.pair.exit === null);
        const level = levels[pick % levels.length] as PositionLevel;
        const { at, before } = pricesAround(level, direction);
        met.set(level.kind, (met.get(level.kind) ?? 0) + 1);
        expect(reactionTo(level, desk, at)).not.toBe('nothing');
        if (before > 0) expect(reactionTo(level, desk, before)).not.toBe('it');
      }),
      { numRuns: RUNS },
    );
    for (const kind of ['guard', 'stop', 'trail', 'win', 'arm', 'callback'])
      expect(met.get(kind), kind).toBeGreaterThan(10);
  });

  test('are not reported while nobody watches the tables, nor for triggered rows', () => {
    const { wire } = open({ ...EVERY_LEVEL, path: [] });
    expect(levelsOf(wire).map(({ kind, row, price }) => [kind, row, price / 1e8])).toEqual([
      ['stop', 1, 97],
      ['stop', 0, 95],
      ['win', 0, 110],
      ['arm', null, 105],
    ]);
    quoteX(wire, 1, 97e8);
    expect(levelsOf(wire).map(({ kind, row }) => [kind, row])).toEqual([
      ['stop', 0],
      ['win', 0],
      ['arm', null],
    ]);
    wire.command({ type: 'stop' });
    expect(levelsOf(wire)).toEqual([]);
  });

  test('of an activated trailing take-profit follow the best price', () => {
    const { wire } = open({ ...EVERY_LEVEL, path: [] });
    const back = () => levelsOf(wire).find(({ kind }) => kind === 'callback');
    quoteX(wire, 1, 106e8);
    expect(back()).toEqual({ kind: 'callback', row: 0, price: 103.6e8, sells: 1e8 });
    quoteX(wire, 1, 109e8);
    expect(back()?.price).toBe(105.4e8);
    quoteX(wire, 1, 107e8);
    expect(back()?.price).toBe(105.4e8);
  });
});

/** Two stop-losses, a take-profit and a trailing take-profit around an entry at 100. */
const EVERY_LEVEL: Desk = {
  stopSell: [
    { profit: 5, stop: 100 },
    { profit: 3, stop: 50 },
  ],
  profitWin: [{ profit: 10, stop: 50 }],
  trailing: [],
  callback: [{ profit: 60, stop: 100 }],
  start: 5,
  leverage: 1,
  direction: 1,
  maker: false,
  minBuy: 0,
  value: 3_000,
  twice: false,
  maxSellLoss: 0,
  maxSlippage: 0.1,
  path: [],
};

/** Returns the price loss of the first exit of a path; infinite without an exit. */
function firstLoss(desk: Desk, rows: readonly ExitRow[]): number {
  const { wire, direction } = open({ ...desk, leverage: 1 }, rows);
  const { entryPrice } = wire.pair.holding;
  for (const x of desk.path) {
    const before = wire.asked.length;
    quoteX(wire, direction, x);
    if (wire.asked.length > before) return direction * (entryPrice - x);
  }
  return Number.POSITIVE_INFINITY;
}
