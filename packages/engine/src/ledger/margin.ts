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

/** A futures position with what its margin depends on. */
export interface MarginPosition {
  readonly holding: Holding;
  readonly market: Market;
  readonly mark: Price;
  readonly brackets: readonly Bracket[];
}

/** A futures account at one moment. */
export interface MarginAccount {
  readonly wallet: Wallet;
  readonly positions: readonly MarginPosition[];
  /** Σ {@link orderMargin} of the open entry orders. */
  readonly orderMargins: Quote;
}

/**
 * Margin that must be left of a position at its mark: `Q·M·mmr − cum`, rounded up.
 *
 * @see docs/margin.md#margin-of-positions-and-orders
 */
export function maintenanceMargin({ holding, market, mark, brackets }: MarginPosition): Quote {
  const value = notional(market, mark, holding.quantity);
  const { mmr, cum } = bracketOf(brackets, value);
  return Math.max(0, mulDivUp(value, mmr, SCALE) - cum);
}

/**
 * Margin a position keeps from other use: `Q·M/L` of cross, what was set apart of isolated.
 *
 * @see docs/margin.md#margin-of-positions-and-orders
 */
export function initialMargin({ holding, market, mark }: MarginPosition): Quote {
  return holding.isolated ? holding.margin : marginOf(notional(market, mark, holding.quantity), holding.leverage);
}

/**
 * Margin an open entry order keeps: what its rest needs, what it would lose at once by its price, and its fee.
 *
 * @param price of the order; of a market order the worst price it may meet
 * @param last last price: a SELL is assumed to fill at no less than 0.15 % above it
 * @see docs/margin.md#margin-of-positions-and-orders
 */
export function orderMargin(
  market: Market,
  side: 'buy' | 'sell',
  price: Price,
  rest: Quantity,
  last: Price,
  mark: Price,
  leverage: number,
  fee: Ratio,
): Quote {
  const assumed = side === 'buy' ? price : Math.max(shiftPriceBy(last, SELL_ASSUMED_ABOVE, 'up'), mark, price);
  const unit = powerOfTen(market.assetDecimals);
  const value = mulDivUp(assumed, rest, unit);
  const adverse = Math.max(0, side === 'buy' ? price - mark : mark - price);
  return exact(marginOf(value, leverage) + mulDivUp(adverse, rest, unit) + mulDivUp(value, fee, SCALE));
}

const SELL_ASSUMED_ABOVE: Ratio = 150_000;

/** Σ IM_alloc of the isolated positions. @see docs/margin.md#free-margin */
export function isolatedMargins({ positions }: Pick<MarginAccount, 'positions'>): Quote {
  let sum = 0;
  for (const { holding } of positions) if (holding.isolated) sum += holding.margin;
  return exact(sum);
}

/** Σ unrealised of the cross positions. @see docs/margin.md#free-margin */
export function crossUnrealised({ positions }: Pick<MarginAccount, 'positions'>): Quote {
  let sum = 0;
  for (const { holding, market, mark } of positions) if (!holding.isolated) sum += unrealised(market, holding, mark);
  return exact(sum);
}

/** Σ maintenance of the cross positions. @see docs/margin.md#liquidation */
export function crossMaintenance({ positions }: Pick<MarginAccount, 'positions'>): Quote {
  let sum = 0;
  for (const position of positions) if (!position.holding.isolated) sum += maintenanceMargin(position);
  return exact(sum);
}

/**
 * What stands behind the cross positions: wallet less isolated margins plus their unrealised.
 *
 * @see docs/margin.md#free-margin
 */
export function crossMarginBalance(account: MarginAccount): Quote {
  return exact(account.wallet.quote - isolatedMargins(account) + crossUnrealised(account));
}

/** Margin that is free by the exchange's rule; unrealised gains count. @see docs/margin.md#free-margin */
export function availableMargin(account: MarginAccount): Quote {
  return Math.max(0, exact(crossMarginBalance(account) - reservedMargins(account)));
}

/** A: margin an entry may be sized by; unrealised gains do not count, losses of cross do. @see docs/margin.md#free-margin */
export function sizingMargin(account: MarginAccount): Quote {
  const free = account.wallet.quote - isolatedMargins(account) + Math.min(0, crossUnrealised(account));
  return Math.max(0, exact(free - reservedMargins(account)));
}

function reservedMargins({ positions, orderMargins }: MarginAccount): Quote {
  let sum = orderMargins;
  for (const position of positions) if (!position.holding.isolated) sum += initialMargin(position);
  return exact(sum);
}
