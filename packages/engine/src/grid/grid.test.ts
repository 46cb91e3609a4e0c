import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feePercent, MARKETS, market } from '../../test/arbitraries.ts';
import type { Generated } from '../../test/generated.ts';
import { RUNS } from '../../test/invariants/runs.ts';
import { apply, type BookOrder, type Charges, crossed, fillOf } from '../../test/plan/book.ts';
import { planInputOn } from '../../test/plan/planInput.ts';
import { floorStep, type Market, marketOf, notional } from '../market/market.ts';
import { formatUnits, percentRatio, powerOfTen, SCALE, toUnits } from '../money/units.ts';
import { strategyOf } from '../strategies/catalogue.ts';
import type { Params } from '../strategies/strategy.ts';
import { type Cell, entryOf, exitOf } from './cell.ts';
import { baseEnded, baseFilled, gridEnded, gridFilled, gridIsFlat, gridPlaced, gridReserve } from './cellOrders.ts';
import { type Grid, gridCycles, gridRealised } from './grid.ts';
import { gridCandle } from './gridCandle.ts';
import { cellGain, gridLevels } from './gridLevels.ts';
import { gridOrders } from './gridOrders.ts';
import { type GridRules, gridRules } from './gridRules.ts';
import { planGrid } from './planGrid.ts';
import type { BaseRequest, PlanInput } from './planInput.ts';
import { orderSide, type Side } from './planOrder.ts';
import { recentredRange } from './recentre.ts';

const FINE = marketOf({
  pair: 'AAA-USDT',
  tickSize: 0.0001,
  stepSize: 0.0001,
  minQuantity: 0.0001,
  maxQuantity: 9_000,
  minNotional: 1,
});

const rulesOf = (given: Params = {}): GridRules => gridRules(strategyOf('grid', given).params);

const planInputOf = planInputOn(FINE);

/** Plans a grid; throws when the plan is rejected. */
function laid(rules: GridRules, input: PlanInput, side: Side | 0 = 1, before: Grid | null = null) {
  const found = planGrid(rules, input, side, undefined, before);
  if (!found.ok) throw new Error(`${found.gate} ${JSON.stringify(found.inputs)}`);
  return found;
}

/** A grid with a simulated order book and its past fills. */
class Trader {
  readonly book: BookOrder[] = [];
  /** Signed position computed from the fills alone. */
  position = 0;
  /** Number of entry fills of each cell. */
  readonly entries: number[];
  grid: Grid;
  readonly market: Market;
  readonly charges: Charges;

  constructor(
    { grid, base }: { grid: Grid; base: BaseRequest | null },
    input: PlanInput,
    baseParts: readonly number[] = [1],
  ) {
    this.grid = grid;
    this.market = input.market;
    this.charges = { fee: input.makerFee, inAsset: input.feeInAsset };
    this.entries = grid.cells.map(() => 0);
    if (base !== null) this.fillBase(base, input.price, baseParts);
    this.bring();
  }

  private fillBase(base: BaseRequest, price: number, parts: readonly number[]): void {
    for (const part of parts) {
      const quantity = floorStep(this.market, Math.floor((base.quantity * part) / parts.length));
      if (quantity === 0) continue;
      const fill = fillOf(this.market, this.charges, orderSide(base.side, 'entry'), price, quantity);
      this.position += base.side * (quantity - fill.feeBase);
      baseFilled(this.grid, fill);
      this.entries.forEach((count, index) => {
        this.entries[index] = count + 1;
      });
    }
    baseEnded(this.grid, this.market);
  }

  bring(): void {
    for (const { key, kind } of apply(this.book, gridOrders(this.grid, this.market))) gridPlaced(this.grid, key, kind);
  }

  cell(order: BookOrder): Cell {
    return this.grid.cells[Number(order.key)] as Cell;
  }

  /** Fills a share of the unfilled quantity of an order, and checks the result of an exit. */
  fill(order: BookOrder, share = 1): void {
    const cell = this.cell(order);
    const quantity = share >= 1 ? order.rest : floorStep(this.market, Math.floor(order.rest * share));
    if (quantity === 0) return;
    const fill = fillOf(this.market, this.charges, order.side, order.price, quantity);
    order.rest -= quantity;
    this.position += order.side === 'buy' ? quantity - fill.feeBase : -quantity;
    if (order.kind === 'entry') this.entries[Number(order.key)] = (this.entries[Number(order.key)] ?? 0) + 1;
    const realised = gridFilled(this.grid, this.market, order.key, order.kind, fill);
    if (order.kind === 'exit') this.expectGain(cell, order, quantity, realised);
    if (order.rest === 0) this.drop(order);
  }

  private expectGain(cell: Cell, order: BookOrder, quantity: number, realised: number): void {
    const { fee, inAsset } = this.charges;
    const long = cell.side === 1;
    const [bought, sold] = long ? [entryOf(cell), exitOf(cell)] : [exitOf(cell), entryOf(cell)];
    const f = fee / SCALE;
    const unit = powerOfTen(this.market.assetDecimals);
    const net = (quantity * (sold * (1 - f) - bought * (1 + f))) / unit;
    // A fee in the base asset applies to the bought quantity, which exceeds the sold one: f + f² + … of the cost.
    const second = inAsset ? (quantity * bought * f * f * 1.02) / unit : 0;
    const rounding = ((this.entries[Number(order.key)] ?? 0) + 2) * (sold / unit + 2);
    if (realised < net - second - rounding) {
      throw new Error(`cell ${order.key} realised ${realised} of ${net} ± ${rounding}`);
    }
  }

  /** Ends an order. */
  drop(order: BookOrder): void {
    this.book.splice(this.book.indexOf(order), 1);
    gridEnded(this.grid, this.market, order.key);
  }

  /** Moves the price to `price` and fills all orders in between. */
  trade(price: number): void {
    const to = toUnits(price);
    for (let hit = crossed(this.book, to); hit.length > 0; hit = crossed(this.book, to)) {
      for (const order of hit) this.fill(order);
      this.bring();
    }
  }

  close(price: number): void {
    gridCandle(this.grid, this.market, toUnits(price));
    this.bring();
  }

  states(): string {
    return this.grid.cells.map(({ state }) => state).join(' ');
  }
}

describe('grid, docs/strategies.md#grid', () => {
  test('90 to 110 in 10 cells: step 2.0270 %, net 1.8249 % at 0.1 %', () => {
    const rules = rulesOf({ lower: 90, upper: 110 });
    const levels = gridLevels(FINE, { lower: toUnits(90), upper: toUnits(110) }, rules);
    expect(levels).toHaveLength(11);
    expect([levels[0], levels[10]]).toEqual([toUnits(90), toUnits(110)]);
    const [low, high] = levels as [number, number];
    expect((100 * (high / low - 1)).toFixed(3)).toBe('2.027');
    const exactly = 90 * (110 / 90) ** 0.1;
    expect((100 * (exactly / 90 - 1)).toFixed(4)).toBe('2.0270');
    expect((100 * cellGain(toUnits(90), toUnits(exactly), percentRatio(0.1))).toFixed(4)).toBe('1.8249');
    expect((100 * cellGain(low, high, percentRatio(0.1))).toFixed(3)).toBe('1.825');
  });

  test('arithmetic levels have the same distance; all are on the tick', () => {
    const rules = rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', levels: 8 });
    const [btc] = MARKETS as [Market];
    const levels = gridLevels(btc, { lower: toUnits(90), upper: toUnits(110) }, rules);
    expect(levels.map((price) => formatUnits(price))).toEqual([
      '90',
      '92.5',
      '95',
      '97.5',
      '100',
      '102.5',
      '105',
      '107.5',
      '110',
    ]);
    const odd = gridLevels(btc, { lower: toUnits(90), upper: toUnits(100.01) }, rules);
    expect(odd.every((price) => price % btc.tick === 0)).toBe(true);
  });

  test('without prices the range lies around the start price', () => {
    const { grid } = laid(rulesOf({ range_pct: 20 }), planInputOf(50));
    expect([grid.levels[0], grid.levels[10]]).toEqual([toUnits(40), toUnits(60)]);
  });

  test('is rejected when a grid order earns 0.05 % or less after fees', () => {
    const refused = planGrid(rulesOf({ lower: 99, upper: 101, levels: 10 }), planInputOf(100), 1);
    expect(refused).toMatchObject({ ok: false, gate: 'cell_gain', inputs: { gain: expect.closeTo(0, 2) } });
    const free = planGrid(
      rulesOf({ lower: 99, upper: 101, levels: 10 }),
      planInputOf(100, { makerFee: percentRatio(0.05) }),
      1,
    );
    expect(free.ok).toBe(true);
  });

  test('is rejected when a grid order is below the minimums of the exchange', () => {
    const refused = planGrid(rulesOf({ levels: 50 }), planInputOf(100, { budget: toUnits(49) }), 1);
    expect(refused).toMatchObject({ ok: false, gate: 'below_minimum', inputs: { value: '0.98', least: '1' } });
  });

  test('orders below the price buy, higher ones buy at the start and sell a level higher', () => {
    const input = planInputOf(100);
    const rules = rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', levels: 4 });
    const made = laid(rules, input);
    expect(made.base).toMatchObject({ side: 1 });
    const [, , third, fourth] = made.grid.cells as [Cell, Cell, Cell, Cell];
    expect(made.base?.quantity).toBe(third.quantity + fourth.quantity);
    const trader = new Trader(made, input);
    expect(trader.states()).toBe('buying buying selling selling');
    expect(trader.book.map(({ side, price }) => `${side} ${formatUnits(price)}`)).toEqual([
      'buy 90',
      'buy 95',
      'sell 105',
      'sell 110',
    ]);
  });

  test('without an initial buy a higher order waits until a candle closes above its high', () => {
    const input = planInputOf(100);
    const made = laid(rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', levels: 4, initial_buy: false }), input);
    const trader = new Trader(made, input);
    expect(made.base).toBeNull();
    expect(trader.states()).toBe('buying buying waiting waiting');
    trader.close(105);
    expect(trader.states()).toBe('buying buying waiting waiting');
    trader.close(105.01);
    expect(trader.states()).toBe('buying buying buying waiting');
    trader.close(110.01);
    expect(trader.states()).toBe('buying buying buying buying');
  });

  test('a grid order buys, sells its coins one level higher, counts a cycle, buys again', () => {
    const input = planInputOf(100);
    const trader = new Trader(laid(rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', levels: 4 }), input), input);
    const [low] = trader.grid.cells as [Cell];
    trader.trade(94.99);
    trader.trade(89.99);
    expect(trader.states()).toBe('selling selling selling selling');
    const received = low.asset;
    expect(formatUnits(low.quantity, FINE.assetDecimals)).toBe('2.7777');
    expect(received).toBe(low.quantity - Math.ceil(low.quantity / 1_000));
    trader.trade(95.01);
    expect(trader.states()).toBe('buying selling selling selling');
    expect([low.cycles, gridCycles(trader.grid)]).toEqual([1, 1]);
    // 2.7777 bought at 90, 2.7749223 received, 2.7749 sold at 95.
    expect(low.realised / 1e8).toBeCloseTo(2.7749 * 95 * 0.999 - (2.7777 * 90 * 2.7749) / 2.7749223, 6);
    expect(gridRealised(trader.grid)).toBe(low.realised);
  });

  test('a partial buy continues once a candle closes above it; until then its rest stays', () => {
    const input = planInputOf(100, { feeInAsset: false });
    const rules = rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', levels: 4, initial_buy: false });
    const trader = new Trader(laid(rules, input), input);
    const cell = trader.grid.cells[1] as Cell;
    const order = trader.book.find(({ key }) => key === '1') as BookOrder;
    trader.fill(order, 0.4);
    trader.bring();
    expect(cell.state).toBe('buying');
    expect(trader.book.filter(({ key }) => key === '1')).toEqual([order]);
    trader.close(99);
    expect(order.leaving).toBe(false);
    trader.close(100.01);
    expect(order.leaving).toBe(true);
    expect(trader.book.filter(({ key }) => key === '1')).toEqual([order]);
    trader.drop(order);
    trader.bring();
    const sale = trader.book.find(({ key }) => key === '1') as BookOrder;
    expect([sale.side, sale.price, sale.rest]).toEqual(['sell', toUnits(100), floorStep(FINE, cell.asset)]);
    trader.trade(100.01);
    expect([cell.cycles, cell.state]).toEqual([1, 'buying']);
  });

  test('a short grid mirrors a long one: it sells high and buys back one level lower', () => {
    const input = planInputOf(100, { feeInAsset: false });
    const rules = rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', levels: 4 });
    const made = laid(rules, input, -1);
    expect(made.base?.side).toBe(-1);
    const trader = new Trader(made, input);
    expect(trader.states()).toBe('selling selling buying buying');
    expect(trader.book.map(({ kind, side, price }) => `${kind} ${side} ${formatUnits(price)}`)).toEqual([
      'exit buy 90',
      'exit buy 95',
      'entry sell 105',
      'entry sell 110',
    ]);
    trader.trade(110.01);
    expect(trader.position).toBeLessThan(0);
    trader.trade(89.99);
    expect(gridCycles(trader.grid)).toBe(4);
    expect(gridRealised(trader.grid)).toBeGreaterThan(0);
    expect(trader.position).toBe(0);
  });

  test('a neutral grid is long below and short above, and the flat side waits', () => {
    const input = planInputOf(100, { feeInAsset: false });
    const rules = rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', levels: 4 });
    const made = laid(rules, input, 0);
    expect(made.base).toBeNull();
    const trader = new Trader(made, input);
    const orders = () => trader.book.map(({ side, price }) => `${side} ${formatUnits(price)}`);
    expect(orders()).toEqual(['buy 90', 'buy 95', 'sell 105', 'sell 110']);
    trader.trade(94.99);
    for (const order of trader.book.filter(({ leaving }) => leaving)) trader.drop(order);
    trader.bring();
    expect(orders().sort()).toEqual(['buy 90', 'sell 100']);
    trader.trade(100.01);
    expect(trader.position).toBe(0);
    expect(orders().sort()).toEqual(['buy 90', 'buy 95', 'sell 105', 'sell 110']);
  });

  test('with few orders allowed those nearest to the price are in the book', () => {
    const input = planInputOf(100);
    const { grid } = laid(rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', initial_buy: false }), input);
    const near = () => gridOrders(grid, FINE, 2).map(({ price }) => formatUnits(price));
    expect(near()).toEqual(['98', '96']);
    gridCandle(grid, FINE, toUnits(93));
    expect(near().sort()).toEqual(['92', '94']);
  });

  test('a close more than one level above the range starts a new grid if flat', () => {
    const input = planInputOf(100);
    const rules = rulesOf({ lower: 90, upper: 110, spacing: 'arithmetic', levels: 4, recentre: true });
    const trader = new Trader(laid(rules, input), input);
    const range = (close: number) => recentredRange(trader.grid, rules, FINE, toUnits(close));
    expect(range(120)).toBeNull();
    trader.trade(110.01);
    expect(gridIsFlat(trader.grid, FINE)).toBe(true);
    expect(range(115)).toBeNull();
    expect(range(115.01)).toEqual({ lower: toUnits(105.01), upper: toUnits(125.01) });
    expect(recentredRange(trader.grid, { ...rules, recentre: false }, FINE, toUnits(120))).toBeNull();
    const again = planGrid(rules, { ...input, price: toUnits(120) }, 1, range(120) ?? undefined, trader.grid);
    if (!again.ok) throw new Error(again.gate);
    expect(again.grid.laid).toBe(2);
    expect(gridCycles(again.grid)).toBe(gridCycles(trader.grid));
    expect(gridRealised(again.grid)).toBe(gridRealised(trader.grid));
    const crumbs = (grid: Grid) => grid.cells.reduce((sum, { asset }) => sum + asset, 0);
    expect(crumbs(again.grid)).toBe(crumbs(trader.grid));
  });

  test('a geometric grid keeps the ratio of its ends when it is placed again', () => {
    const input = planInputOf(100);
    const rules = rulesOf({ lower: 80, upper: 125, recentre: true, initial_buy: false });
    const trader = new Trader(laid(rules, input), input);
    const found = recentredRange(trader.grid, rules, FINE, toUnits(140));
    expect(found).toEqual({ lower: toUnits(112), upper: toUnits(175) });
    // The grid holds its buys from the falling price.
    trader.trade(79);
    expect(recentredRange(trader.grid, rules, FINE, toUnits(70))).toBeNull();
  });
});

/** Filled share of an order; often all of it. */
const share = fc.oneof(fc.constant(1), fc.double({ min: 0.05, max: 1, noNaN: true }));

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('trade' as const),
      to: fc.double({ min: -1.4, max: 1.4, noNaN: true }),
      share,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('near' as const),
      pick: fc.nat(),
      share,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('close' as const), to: fc.double({ min: -1.4, max: 1.4, noNaN: true }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('confirm' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancelled' as const), pick: fc.nat() }) },
);

/** Returns a price `share` half ranges away from the start. */
const levelOf = (input: PlanInput, rangePercent: number, share: number) =>
  Math.max(1, Math.round(input.price * (1 + (share * rangePercent) / 100)));

const situation = fc
  .record({
    market,
    price: fc.double({ min: 0.05, max: 90_000, noNaN: true }),
    budget: fc.double({ min: 200, max: 1_000_000, noNaN: true }),
    fee: feePercent,
    side: fc.constantFrom<Side | 0>(1, 1, -1, 0),
    inAsset: fc.boolean(),
    params: fc.record({
      range_pct: fc.integer({ min: 1, max: 50 }),
      levels: fc.integer({ min: 2, max: 12 }),
      spacing: fc.constantFrom('geometric', 'arithmetic'),
      initial_buy: fc.boolean(),
    }),
    baseParts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
    steps: fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
  })
  .map((given) => {
    const inAsset = given.inAsset && given.side === 1;
    const tick = given.market.tick;
    const input: PlanInput = {
      market: given.market,
      price: Math.max(tick * 200, Math.round(toUnits(given.price) / tick) * tick),
      budget: toUnits(Math.round(given.budget)),
      makerFee: percentRatio(given.fee),
      feeInAsset: inAsset,
    };
    return { ...given, input, made: planGrid(rulesOf(given.params), input, given.side) };
  })
  .filter(({ made }) => made.ok);

type Step = Generated<typeof step>;

/** Performs a step: the price crosses orders, one order fills or is cancelled, cancels are confirmed, or a candle closes. */
function act(trader: Trader, given: Step, priceAt: (share: number) => number): void {
  const { grid, book, market } = trader;
  switch (given.do) {
    case 'trade':
      for (const order of crossed(book, priceAt(given.to))) trader.fill(order, given.share);
      break;
    case 'close':
      gridCandle(grid, market, priceAt(given.to));
      break;
    case 'confirm':
      for (const order of book.filter(({ leaving }) => leaving)) trader.drop(order);
      break;
    default: {
      const order = book[given.pick % Math.max(1, book.length)];
      if (order === undefined) break;
      if (given.do === 'near') trader.fill(order, given.share);
      else trader.drop(order);
    }
  }
}

describe('grid, docs/invariants.md#grid-and-dca', () => {
  test('in any order of part fills, cancels and candles', () => {
    let exits = 0;
    fc.assert(
      fc.property(situation, ({ input, made, side, params, steps, baseParts }) => {
        if (!made.ok) return;
        const trader = new Trader(made, input, baseParts);
        for (const given of steps) {
          act(trader, given, (share) => levelOf(input, params.range_pct, share));
          trader.bring();
          expectSound(trader, input, side);
        }
        exits += gridCycles(trader.grid);
      }),
      { numRuns: RUNS },
    );
    // The runs must include enough exits.
    expect(exits).toBeGreaterThan(RUNS);
  });

  test('saved and restored between any two steps it continues unchanged', () => {
    fc.assert(
      fc.property(situation, ({ input, made, params, steps }) => {
        if (!made.ok) return;
        const through = new Trader(structuredClone(made), input);
        const saved = new Trader(structuredClone(made), input);
        for (const given of steps) {
          if (given.do !== 'trade') continue;
          const to = levelOf(input, params.range_pct, given.to) / 1e8;
          through.trade(to);
          saved.grid = JSON.parse(JSON.stringify(saved.grid)) as Grid;
          saved.trade(to);
          expect(saved.grid).toEqual(through.grid);
        }
      }),
      { numRuns: RUNS / 10 },
    );
  });
});

function expectSound(trader: Trader, input: PlanInput, side: Side | 0): void {
  const { grid, book } = trader;
  const keys = new Set(book.map(({ key }) => key));
  if (keys.size !== book.length) throw new Error('a cell has two orders');
  if (book.length > 2 * grid.cells.length) throw new Error('more than 2·N orders');
  const asset = grid.cells.reduce((sum, cell) => sum + cell.side * cell.asset, 0);
  if (asset !== trader.position) throw new Error(`cells hold ${asset}, the position is ${trader.position}`);
  const price = (cell: Cell) => Math.max(cell.high, input.price);
  const crumbs = grid.cells.reduce((sum, cell) => sum + notional(input.market, price(cell), input.market.step) + 2, 0);
  const spent = grid.cells.reduce((sum, cell) => sum + Math.max(0, cell.cost), 0);
  const open = book.reduce(
    (sum, { kind, price: at, rest }) => (kind === 'entry' ? sum + notional(input.market, at, rest) : sum),
    0,
  );
  const most = grid.budget * (1 + input.makerFee / SCALE) + crumbs;
  if (spent + open > most) throw new Error(`spent ${spent} and ordered ${open} of ${most}`);
  const reserve = gridReserve(grid, (cell, quantity) => notional(input.market, entryOf(cell), quantity));
  if (spent + reserve > most) throw new Error(`spent ${spent} and reserved ${reserve} of ${most}`);
  for (const cell of grid.cells) {
    if (side !== 0 && cell.side !== side) throw new Error('a cell has the wrong side');
    for (const amount of [cell.asset, cell.cost, cell.entered]) {
      if (!Number.isSafeInteger(amount) || amount < 0 || Object.is(amount, -0))
        throw new Error(`an amount is ${amount}`);
    }
  }
}
