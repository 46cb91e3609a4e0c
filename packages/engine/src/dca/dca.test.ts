import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feePercent, market } from '../../test/arbitraries.ts';
import type { Generated } from '../../test/generated.ts';
import { RUNS } from '../../test/invariants/runs.ts';
import { apply, type BookOrder, type Charges, crossed, fillOf } from '../../test/plan/book.ts';
import { planInputOn } from '../../test/plan/planInput.ts';
import type { BaseRequest, PlanInput } from '../grid/planInput.ts';
import { orderSide, type Side } from '../grid/planOrder.ts';
import { floorStep, type Market, marketOf, notional } from '../market/market.ts';
import { formatUnits, mulDiv, percentRatio, powerOfTen, toUnits } from '../money/units.ts';
import { strategyOf } from '../strategies/catalogue.ts';
import type { Params } from '../strategies/strategy.ts';
import type { Dca } from './dca.ts';
import { dcaOrders, EXIT_KEY } from './dcaOrders.ts';
import { dcaBaseEnded, dcaCloses, dcaEntries, dcaReserve, safetyFilled } from './dcaProgress.ts';
import { type DcaRules, dcaRules } from './dcaRules.ts';
import { trailOf, trailPrice } from './dcaTrail.ts';
import { dcaTakeProfitPrice, fullSafetyOrders, safetyDistances, safetyOrders, safetySizes } from './safetyOrders.ts';
import { startDca } from './startDca.ts';

const FINE = marketOf({
  pair: 'AAA-USDT',
  tickSize: 0.0001,
  stepSize: 0.000001,
  minQuantity: 0.000001,
  maxQuantity: 900_000,
  minNotional: 1,
});

const rulesOf = (given: Params = {}): DcaRules => dcaRules(strategyOf('dca', given).params);

const planInputOf = planInputOn(FINE);

function started(rules: DcaRules, input: PlanInput, side: Side = 1) {
  const found = startDca(rules, input, side);
  if (!found.ok) throw new Error(`${found.gate} ${JSON.stringify(found.inputs)}`);
  return found;
}

/** A DCA deal with a simulated order book. */
class Trader {
  readonly book: BookOrder[] = [];
  readonly market: Market;
  readonly charges: Charges;
  readonly dca: Dca;
  readonly rules: DcaRules;
  held = 0;
  /** Quantity of the entry fills; `value` is their order value. */
  entered = 0;
  value = 0;
  /** Whether the deal has ended flat. */
  over = false;

  constructor(rules: DcaRules, { dca, base }: { dca: Dca; base: BaseRequest }, input: PlanInput) {
    this.rules = rules;
    this.dca = dca;
    this.market = input.market;
    this.charges = { fee: input.makerFee, inAsset: input.feeInAsset };
    this.enter(orderSide(dca.side, 'entry'), input.price, base.quantity);
    dcaBaseEnded(dca, this.market, this.entry);
    this.bring();
  }

  get entry(): number {
    return mulDiv(this.value, powerOfTen(this.market.assetDecimals), this.entered);
  }

  private enter(side: 'buy' | 'sell', price: number, quantity: number): void {
    const fill = fillOf(this.market, this.charges, side, price, quantity);
    this.held += quantity - fill.feeBase;
    this.entered += quantity;
    this.value += fill.value;
  }

  bring(): void {
    apply(this.book, this.over ? [] : dcaOrders(this.dca, this.rules, this.market, this.held, this.entry));
  }

  fill(order: BookOrder, share = 1): void {
    const offered = order.kind === 'exit' ? Math.min(order.rest, floorStep(this.market, this.held)) : order.rest;
    const quantity = share >= 1 ? offered : floorStep(this.market, Math.floor(offered * share));
    if (quantity === 0) return;
    order.rest -= quantity;
    if (order.kind === 'entry') {
      this.enter(order.side, order.price, quantity);
      safetyFilled(this.dca, Number(order.key), quantity);
    } else {
      this.held -= quantity;
      dcaCloses(this.dca);
      if (floorStep(this.market, this.held) === 0) this.over = true;
    }
    if (order.rest === 0) this.drop(order);
  }

  drop(order: BookOrder): void {
    this.book.splice(this.book.indexOf(order), 1);
  }

  /** Confirms every pending cancel. */
  confirm(): void {
    for (const order of this.book.filter(({ leaving }) => leaving)) this.drop(order);
    this.bring();
  }

  trade(price: number): void {
    for (const order of crossed(this.book, toUnits(price))) {
      this.fill(order);
      this.bring();
      this.confirm();
    }
  }
}

describe('dca averaging, docs/strategies.md#dca-averaging', () => {
  test('the example: prices 98, 95.6, 92.72, 89.264; sizes from 109.589 to 369.863', () => {
    const rules = rulesOf();
    const sizes = safetySizes(rules, toUnits(1_000));
    expect(sizes.map((size) => (size / 1e8).toFixed(3))).toEqual([
      '109.589',
      '109.589',
      '164.384',
      '246.575',
      '369.863',
    ]);
    const safeties = safetyOrders({ side: 1, sizes, distances: safetyDistances(rules) }, FINE, toUnits(100));
    expect(safeties.map(({ price }) => formatUnits(price))).toEqual(['98', '95.6', '92.72', '89.264']);
  });

  test('the example: E falls from 98.990 to 93.141 by fills; T is 94.538, up 5.91 %', () => {
    const input = planInputOf(100);
    const rules = rulesOf();
    const trader = new Trader(rules, started(rules, input), input);
    expect(formatUnits(trader.entry)).toBe('100');
    const seen = [97.99, 95.59, 92.71, 89.26].map((price) => {
      trader.trade(price);
      return (trader.entry / 1e8).toFixed(3);
    });
    expect(seen).toEqual(['98.990', '97.508', '95.577', '93.141']);
    const target = dcaTakeProfitPrice(rules, FINE, 1, trader.entry);
    expect((target / 1e8).toFixed(3)).toBe('94.538');
    expect((100 * (target / toUnits(89.264) - 1)).toFixed(2)).toBe('5.91');
  });

  test('all safety orders are placed at once, and the exit moves to T after each fill', () => {
    const input = planInputOf(100);
    const rules = rulesOf();
    const trader = new Trader(rules, started(rules, input), input);
    const shown = () => trader.book.map(({ side, price }) => `${side} ${formatUnits(price)}`).sort();
    expect(shown()).toEqual(['buy 89.264', 'buy 92.72', 'buy 95.6', 'buy 98', 'sell 101.5']);
    const exit = () => trader.book.find(({ key }) => key === EXIT_KEY) as BookOrder;
    expect(exit().rest).toBe(floorStep(FINE, trader.held));
    trader.trade(97);
    expect(shown()).toEqual(['buy 89.264', 'buy 92.72', 'buy 95.6', 'sell 100.4748']);
    expect(exit().rest).toBe(floorStep(FINE, trader.held));
    trader.trade(100.5);
    trader.confirm();
    expect([trader.over, trader.book]).toEqual([true, []]);
  });

  test('once the exit has begun there are no safety orders any more', () => {
    const input = planInputOf(100);
    const rules = rulesOf();
    const trader = new Trader(rules, started(rules, input), input);
    trader.fill(trader.book.find(({ key }) => key === EXIT_KEY) as BookOrder, 0.5);
    trader.bring();
    expect(trader.book.filter(({ kind, leaving }) => kind === 'entry' && !leaving)).toEqual([]);
    trader.confirm();
    expect(trader.book.map(({ key, rest }) => [key, rest])).toEqual([[EXIT_KEY, floorStep(FINE, trader.held)]]);
  });

  test('a short is the mirror image', () => {
    const input = planInputOf(100, { feeInAsset: false });
    const rules = rulesOf();
    const trader = new Trader(rules, started(rules, input, -1), input);
    const shown = trader.book.map(({ kind, side, price }) => `${kind} ${side} ${formatUnits(price)}`);
    expect(shown).toEqual([
      'exit buy 98.5',
      'entry sell 102',
      'entry sell 104.4',
      'entry sell 107.28',
      'entry sell 110.736',
    ]);
    trader.trade(111);
    expect(trader.entry).toBeGreaterThan(toUnits(100));
    expect(dcaEntries(trader.dca)).toBe(5);
  });

  test('trailing: activated at T, it closes after a fall from the best price', () => {
    const input = planInputOf(100);
    const rules = rulesOf({ trailing: 1 });
    const { dca } = started(rules, input);
    dcaBaseEnded(dca, FINE, toUnits(100));
    expect(dcaOrders(dca, rules, FINE, toUnits(1), toUnits(100)).some(({ key }) => key === EXIT_KEY)).toBe(false);
    const fee = percentRatio(0.1);
    const tick = (price: number) => trailPrice(dca, rules, { market: FINE, entry: toUnits(100), fee }, toUnits(price));
    expect([101.49, 101.5, 101.2, 103, 102, 101.98, 104].map(tick)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(tick(102.97)).toBe(false);
    expect(tick(102.96)).toBe(true);
  });

  test('trailing never activates or closes below E·(1 + 2f), unless the price jumps past', () => {
    const input = planInputOf(100);
    const rules = rulesOf({ trailing: 5, take_profit: 0.2 });
    const { dca } = started(rules, input);
    dcaBaseEnded(dca, FINE, toUnits(100));
    const fee = percentRatio(0.5);
    expect(trailOf(dca, rules, FINE, toUnits(100), fee).activationPrice).toBe(toUnits(101));
    const tick = (price: number) => trailPrice(dca, rules, { market: FINE, entry: toUnits(100), fee }, toUnits(price));
    expect([100.99, 101, 101.5].map(tick)).toEqual([false, false, false]);
    expect(trailOf(dca, rules, FINE, toUnits(100), fee).triggerPrice).toBe(toUnits(101));
    expect(tick(101.01)).toBe(false);
    expect(tick(97)).toBe(true);
  });

  test('is rejected when the last safety order would be 95 % away or more', () => {
    const at = (step_scale: number) =>
      startDca(rulesOf({ step: 5, step_scale, safety_orders: 10 }), planInputOf(100), 1);
    expect(safetyDistances(rulesOf({ step: 5, step_scale: 1.15, safety_orders: 10 })).at(-1)).toBeGreaterThan(95);
    expect(at(1.15)).toMatchObject({ ok: false, gate: 'too_deep', inputs: { limit: 95 } });
    expect(at(1.1)).toMatchObject({ ok: true });
  });

  test('is rejected when an order is below the minimums of the exchange', () => {
    const refused = startDca(rulesOf(), planInputOf(100, { budget: toUnits(9) }), 1);
    expect(refused).toMatchObject({ ok: false, gate: 'below_minimum', inputs: { order: 1, value: '0.98630136' } });
  });

  test('is rejected when all its orders would be liquidated before the last one', () => {
    const seen: number[] = [];
    const liquidation = (at: number) => (_side: Side, quantity: number, entry: number) => {
      seen.push(quantity, entry);
      return toUnits(at);
    };
    const input = (at: number) => planInputOf(100, { feeInAsset: false, liquidation: liquidation(at) });
    expect(startDca(rulesOf(), input(89.27), 1)).toMatchObject({ ok: false, gate: 'liquidation_first' });
    expect(startDca(rulesOf(), input(89.26), 1)).toMatchObject({ ok: true });
    expect((seen[1] as number) / 1e8).toBeCloseTo(93.141, 2);
    expect(startDca(rulesOf(), input(110.73), -1)).toMatchObject({ ok: false, gate: 'liquidation_first' });
    expect(startDca(rulesOf(), input(110.74), -1)).toMatchObject({ ok: true });
    expect(startDca(rulesOf(), input(0), 1)).toMatchObject({ ok: true });
  });

  test('without safety orders a deal is one entry and one exit', () => {
    const input = planInputOf(100);
    const rules = rulesOf({ safety_orders: 0 });
    const trader = new Trader(rules, started(rules, input), input);
    expect(trader.value).toBeGreaterThan(toUnits(999.99));
    expect(trader.book.map(({ key }) => key)).toEqual([EXIT_KEY]);
    expect(fullSafetyOrders(FINE, { quantity: 5, price: toUnits(100) }, []).entry).toBe(toUnits(100));
  });
});

const share = fc.oneof(fc.constant(1), fc.double({ min: 0.05, max: 1, noNaN: true }));

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('fill' as const), pick: fc.nat(), share }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('confirm' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancelled' as const), pick: fc.nat() }) },
);

const situation = fc
  .record({
    market,
    price: fc.double({ min: 0.05, max: 90_000, noNaN: true }),
    budget: fc.integer({ min: 200, max: 1_000_000 }),
    fee: feePercent,
    side: fc.constantFrom<Side>(1, 1, -1),
    inAsset: fc.boolean(),
    params: fc.record({
      safety_orders: fc.integer({ min: 0, max: 12 }),
      step: fc.integer({ min: 2, max: 200 }).map((tenths) => tenths / 10),
      step_scale: fc.integer({ min: 10, max: 60 }).map((twentieths) => twentieths / 20),
      volume_scale: fc.integer({ min: 10, max: 60 }).map((twentieths) => twentieths / 20),
      first_scale: fc.integer({ min: 5, max: 50 }).map((tenths) => tenths / 10),
      take_profit: fc.integer({ min: 2, max: 500 }).map((tenths) => tenths / 10),
    }),
    steps: fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
  })
  .map((given) => {
    const { tick } = given.market;
    const input: PlanInput = {
      market: given.market,
      price: Math.max(tick * 200, Math.round(toUnits(given.price) / tick) * tick),
      budget: toUnits(given.budget),
      makerFee: percentRatio(given.fee),
      feeInAsset: given.inAsset && given.side === 1,
    };
    const rules = rulesOf(given.params);
    return { ...given, input, rules, start: startDca(rules, input, given.side) };
  })
  .filter(({ start }) => start.ok);

type Step = Generated<typeof step>;

/** Fills or cancels one order of the book, or confirms the pending cancels. */
function act(trader: Trader, given: Step): void {
  const order = 'pick' in given ? trader.book[given.pick % Math.max(1, trader.book.length)] : undefined;
  if (given.do === 'confirm') trader.confirm();
  else if (given.do === 'fill' && order) trader.fill(order, given.share);
  else if (order) trader.drop(order);
}

describe('dca averaging, docs/invariants.md#grid-and-dca', () => {
  test('in any order of part fills and cancels', () => {
    let cycles = 0;
    fc.assert(
      fc.property(situation, ({ input, rules, start, side, steps }) => {
        if (!start.ok) return;
        const trader = new Trader(rules, structuredClone(start), input);
        for (const given of steps) {
          if (trader.over) break;
          act(trader, given);
          trader.bring();
          expectSound(trader, input, side, trader.over);
        }
        if (!trader.over) return;
        cycles += 1;
        trader.bring();
        trader.confirm();
        expect(trader.book).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(cycles).toBeGreaterThan(RUNS / 10);
  });

  test('sizes never exceed the budget together, whatever the scales', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.double({ min: 0.5, max: 5, noNaN: true }),
        fc.double({ min: 0.5, max: 3, noNaN: true }),
        fc.integer({ min: 1, max: 2 ** 52 }),
        (safety_orders, first_scale, volume_scale, budget) => {
          const sizes = safetySizes(rulesOf({ safety_orders, first_scale, volume_scale }), budget);
          const sum = sizes.reduce((total, size) => total + size, 0);
          expect(sizes).toHaveLength(safety_orders + 1);
          expect(sum <= budget && budget - sum < 1e-9 * budget + sizes.length + 1).toBe(true);
          expect(sizes.every((size) => Number.isSafeInteger(size) && size >= 0)).toBe(true);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

function expectSound(trader: Trader, input: PlanInput, side: Side, over: boolean): void {
  const { dca, book, rules, market: grid } = trader;
  if (new Set(book.map(({ key }) => key)).size !== book.length) throw new Error('two orders of one purpose');
  const open = book.reduce(
    (sum, { kind, price, rest }) => (kind === 'entry' ? sum + notional(grid, price, rest) : sum),
    0,
  );
  if (trader.value + open > dca.budget + book.length) {
    throw new Error(`spent ${trader.value} and ordered ${open} of ${dca.budget}`);
  }
  const reserve = dcaReserve(dca, (price, quantity) => notional(grid, price, quantity));
  if (trader.value + reserve > dca.budget + dca.sizes.length) throw new Error(`reserved ${reserve} of ${dca.budget}`);
  if (dcaEntries(dca) > rules.safetyOrders + 1) throw new Error(`${dcaEntries(dca)} entries`);
  for (const { quantity, filled } of dca.safeties) {
    if (filled > quantity) throw new Error(`a safety order of ${quantity} was filled by ${filled}`);
  }
  const last = dca.safeties.at(-1)?.price ?? dca.first;
  const lowest = Math.min(last, dca.first) - 1;
  const highest = Math.max(last, dca.first) + 1;
  if (trader.entry < lowest || trader.entry > highest)
    throw new Error(`E ${trader.entry} is outside ${lowest}…${highest}`);
  if (dca.phase === 'closing' && book.some(({ kind, leaving }) => kind === 'entry' && !leaving)) {
    throw new Error('a safety order rests while the position is being closed');
  }
  const exits = book.filter(({ kind, leaving }) => kind === 'exit' && !leaving);
  if (!over && exits.some(({ rest }) => rest > trader.held)) throw new Error('more is offered than held');
  if (side !== dca.side || input.budget !== dca.budget) throw new Error('the deal has changed its side or its budget');
}
