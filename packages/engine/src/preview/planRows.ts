import type { DcaRules } from '../dca/dcaRules.ts';
import { dcaTakeProfitPrice, fullSafetyOrders } from '../dca/safetyOrders.ts';
import { type Cell, enterCell, entryOf, exitCell, exitOf, sellable } from '../grid/cell.ts';
import type { Grid } from '../grid/grid.ts';
import type { GridFill, Side } from '../grid/planOrder.ts';
import { ceilTick, floorTick, type Market, notional } from '../market/market.ts';
import {
  exact,
  formatUnits,
  mulDiv,
  mulDivUp,
  type Price,
  powerOfTen,
  type Quantity,
  type Quote,
  type Ratio,
  SCALE,
} from '../money/units.ts';

/** One grid level, or one order of a DCA deal; amounts are exact decimals as text. */
export interface PlanRow {
  readonly direction: 'long' | 'short';
  /** Price at which it enters. */
  readonly price: string;
  /** Price at which it exits: that of its level, or the target of the deal after this order. */
  readonly exit: string;
  readonly quantity: string;
  /** Order value. */
  readonly value: string;
  /** Order value of this and all previous rows. */
  readonly total: string;
  /** Exit price that pays exactly the fees of both sides. */
  readonly breakEven: string;
  /** Net result of the exit, after the fees of both sides; of a deal that of all orders so far. */
  readonly profit: string;
  /** `base`: the base order buys it at once. `waits`: it has no order until the price has passed it. */
  readonly enters: 'base' | 'order' | 'waits';
}

export interface PlanFees {
  readonly maker: Ratio;
  readonly taker: Ratio;
  /** Spot: the fee of a buy is paid in the asset. */
  readonly inAsset: boolean;
}

/** Returns the levels of a planned grid, lowest first. The result of a level is that of a whole cycle between its prices. */
export function gridRows({ cells }: Grid, market: Market, fees: PlanFees, price: Price): PlanRow[] {
  let total: Quote = 0;
  return cells.map((cell) => {
    const entry = cell.byBase ? price : entryOf(cell);
    const value = notional(market, entry, cell.quantity);
    total = exact(total + value);
    const { profit, breakEven } = cycleOf(cell, market, fees);
    return {
      direction: directionOf(cell.side),
      price: formatUnits(entryOf(cell)),
      exit: formatUnits(exitOf(cell)),
      quantity: formatUnits(cell.quantity, market.assetDecimals),
      value: formatUnits(value),
      total: formatUnits(total),
      breakEven: formatUnits(breakEven),
      profit: formatUnits(profit),
      enters: cell.byBase ? 'base' : cell.state === 'waiting' ? 'waits' : 'order',
    };
  });
}

/** Runs one cycle of a level on a copy of it, with maker orders that fill completely. */
function cycleOf(planned: Cell, market: Market, fees: PlanFees): { profit: Quote; breakEven: Price } {
  const cell: Cell = { ...planned, state: 'buying', byBase: false, entered: 0, asset: 0, cost: 0, realised: 0 };
  enterCell(cell, fillOf(market, entryOf(cell), cell.quantity, { rate: fees.maker, inAsset: fees.inAsset }));
  const quantity = sellable(market, cell);
  const cost = mulDivUp(cell.cost, quantity, cell.asset);
  const breakEven = breakEvenOf(market, { side: cell.side, cost, quantity, fee: fees.maker });
  const profit = exitCell(market, cell, fillOf(market, exitOf(cell), quantity, { rate: fees.maker, inAsset: false }));
  return { profit, breakEven };
}

/** The input of the rows of a DCA deal, beside its orders and rules. */
interface Deal {
  readonly market: Market;
  readonly fees: PlanFees;
  readonly side: Side;
  /** `order_type` of the base order. */
  readonly maker: boolean;
}

/** Returns the base order and the safety orders of a deal, each as if all before it were filled. */
export function dcaRows(
  orders: readonly { readonly price: Price; readonly quantity: Quantity }[],
  rules: DcaRules,
  { market, fees, side, maker }: Deal,
): PlanRow[] {
  let total: Quote = 0;
  let cost: Quote = 0;
  let held: Quantity = 0;
  const [base] = orders;
  if (base === undefined) return [];
  return orders.map(({ price, quantity }, index) => {
    const rate = index === 0 && !maker ? fees.taker : fees.maker;
    const fill = fillOf(market, price, quantity, { rate, inAsset: fees.inAsset });
    total = exact(total + fill.value);
    cost = exact(cost + fill.value + side * fill.feeQuote);
    held = exact(held + quantity - fill.feeBase);
    const filled = orders.slice(1, index + 1).map((order) => ({ ...order, filled: order.quantity }));
    const exit = dcaTakeProfitPrice(rules, market, side, fullSafetyOrders(market, base, filled).entry);
    const fee = rules.trailing > 0 ? fees.taker : fees.maker;
    const sale = fillOf(market, exit, held, { rate: fee, inAsset: false });
    return {
      direction: directionOf(side),
      price: formatUnits(price),
      exit: formatUnits(exit),
      quantity: formatUnits(quantity, market.assetDecimals),
      value: formatUnits(fill.value),
      total: formatUnits(total),
      breakEven: formatUnits(breakEvenOf(market, { side, cost, quantity: held, fee })),
      profit: formatUnits(exact(side * (sale.value - cost) - sale.feeQuote)),
      enters: index === 0 ? 'base' : 'order',
    };
  });
}

function fillOf(
  market: Market,
  price: Price,
  quantity: Quantity,
  { rate, inAsset }: { readonly rate: Ratio; readonly inAsset: boolean },
): GridFill {
  const value = notional(market, price, quantity);
  if (inAsset) return { quantity, value, feeBase: mulDivUp(quantity, rate, SCALE), feeQuote: 0 };
  return { quantity, value, feeBase: 0, feeQuote: mulDivUp(value, rate, SCALE) };
}

/** A position whose exit pays `fee`. */
interface Held {
  readonly side: Side;
  /** Cost with entry fees; of a short the proceeds after them. */
  readonly cost: Quote;
  readonly quantity: Quantity;
  readonly fee: Ratio;
}

function breakEvenOf(market: Market, { side, cost, quantity, fee }: Held): Price {
  if (quantity === 0) return 0;
  const unit = powerOfTen(market.assetDecimals);
  const value = mulDiv(cost, SCALE, SCALE - side * fee, side === 1 ? 'up' : 'down');
  return side === 1
    ? ceilTick(market, mulDiv(value, unit, quantity, 'up'))
    : floorTick(market, mulDiv(value, unit, quantity, 'down'));
}

function directionOf(side: Side): 'long' | 'short' {
  return side === 1 ? 'long' : 'short';
}
