import { type Market, notional } from '../market/market.ts';
import {
  exact,
  mulDivUp,
  type Price,
  powerOfTen,
  type Quantity,
  type Quote,
  type Ratio,
  SCALE,
  shiftPriceBy,
} from '../money/units.ts';
import { type Bracket, bracketOf } from './brackets.ts';
import { type Holding, unrealised } from './holding.ts';
import { marginOf } from './marginOf.ts';
import type { Wallet } from './wallet.ts';

/** A futures position with the inputs of its margin. */
export interface MarginPosition {
  readonly holding: Holding;
  readonly market: Market;
  readonly mark: Price;
  readonly brackets: readonly Bracket[];
}

/** A futures account at one point in time. */
export interface MarginAccount {
  readonly wallet: Wallet;
  readonly positions: readonly MarginPosition[];
  /** Σ {@link orderMargin} of the open entry orders. */
  readonly orderMargins: Quote;
}

/**
 * Returns the maintenance margin of a position at its mark: `Q·M·mmr − cum`, rounded up.
 *
 * @see docs/margin.md#margin-of-positions-and-orders
 */
export function maintenanceMargin({ holding, market, mark, brackets }: MarginPosition): Quote {
  const value = notional(market, mark, holding.quantity);
  const { mmr, cum } = bracketOf(brackets, value);
  return Math.max(0, mulDivUp(value, mmr, SCALE) - cum);
}

/**
 * Returns the margin that a position reserves: `Q·M/L` for cross, the allocated margin for isolated.
 *
 * @see docs/margin.md#margin-of-positions-and-orders
 */
export function initialMargin({ holding, market, mark }: MarginPosition): Quote {
  return holding.isolated ? holding.margin : marginOf(notional(market, mark, holding.quantity), holding.leverage);
}

/** An open entry order with the inputs of its margin. */
export interface MarginOrder {
  readonly market: Market;
  readonly side: 'buy' | 'sell';
  /** Price of the order; for a market order the worst price at which it may fill. */
  readonly price: Price;
  /** Unfilled quantity. */
  readonly rest: Quantity;
  /** Last price: the margin of a SELL assumes a fill at 0.15 % above it or higher. */
  readonly last: Price;
  readonly mark: Price;
  readonly leverage: number;
  readonly fee: Ratio;
}

/**
 * Returns the margin that an open entry order reserves: for its unfilled quantity, its immediate loss against the mark, and its fee.
 *
 * @see docs/margin.md#margin-of-positions-and-orders
 */
export function orderMargin({ market, side, price, rest, last, mark, leverage, fee }: MarginOrder): Quote {
  const assumed = side === 'buy' ? price : Math.max(shiftPriceBy(last, SELL_ASSUMED_ABOVE, 'up'), mark, price);
  const unit = powerOfTen(market.assetDecimals);
  const value = mulDivUp(assumed, rest, unit);
  const adverse = Math.max(0, side === 'buy' ? price - mark : mark - price);
  return exact(marginOf(value, leverage) + mulDivUp(adverse, rest, unit) + mulDivUp(value, fee, SCALE));
}

const SELL_ASSUMED_ABOVE: Ratio = 150_000;

/** Returns Σ IM_alloc of the isolated positions. @see docs/margin.md#free-margin */
export function isolatedMargins({ positions }: Pick<MarginAccount, 'positions'>): Quote {
  let sum = 0;
  for (const { holding } of positions) if (holding.isolated) sum += holding.margin;
  return exact(sum);
}

/** Returns Σ unrealised PnL of the cross positions. @see docs/margin.md#free-margin */
export function crossUnrealised({ positions }: Pick<MarginAccount, 'positions'>): Quote {
  let sum = 0;
  for (const { holding, market, mark } of positions) if (!holding.isolated) sum += unrealised(market, holding, mark);
  return exact(sum);
}

/** Returns Σ maintenance margin of the cross positions. @see docs/margin.md#liquidation */
export function crossMaintenance({ positions }: Pick<MarginAccount, 'positions'>): Quote {
  let sum = 0;
  for (const position of positions) if (!position.holding.isolated) sum += maintenanceMargin(position);
  return exact(sum);
}

/**
 * Returns the margin balance of the cross positions: wallet less isolated margins plus their unrealised PnL.
 *
 * @see docs/margin.md#free-margin
 */
export function crossMarginBalance(account: MarginAccount): Quote {
  return exact(account.wallet.quote - isolatedMargins(account) + crossUnrealised(account));
}

/** Returns the free margin by the rule of the exchange; unrealised gains count. @see docs/margin.md#free-margin */
export function availableMargin(account: MarginAccount): Quote {
  return Math.max(0, exact(crossMarginBalance(account) - reservedMargins(account)));
}

/** Returns A, the margin for sizing entries: unrealised gains do not count, losses of cross do. @see docs/margin.md#free-margin */
export function sizingMargin(account: MarginAccount): Quote {
  const free = account.wallet.quote - isolatedMargins(account) + Math.min(0, crossUnrealised(account));
  return Math.max(0, exact(free - reservedMargins(account)));
}

function reservedMargins({ positions, orderMargins }: MarginAccount): Quote {
  let sum = orderMargins;
  for (const position of positions) if (!position.holding.isolated) sum += initialMargin(position);
  return exact(sum);
}
