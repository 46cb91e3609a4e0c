import { notional } from '../market/market.ts';
import { exact, mulDivUp, type Price, type Quantity, type Quote, type Ratio, SCALE } from '../money/units.ts';
import { type Holding, setBasis, unrealised } from './holding.ts';
import { bankruptcyPrice } from './liquidationPrice.ts';
import {
  crossMaintenance,
  crossMarginBalance,
  isolatedMargins,
  type MarginAccount,
  type MarginPosition,
} from './margin.ts';
import type { Wallet } from './wallet.ts';

/** Clearance fee of a pair whose product list names none. @see docs/margin.md#liquidation */
export const CLEARANCE_FEE: Ratio = 1_250_000;

/** What a liquidation came to. */
export interface Liquidation {
  pair: string;
  quantity: Quantity;
  /** Isolated: the bankruptcy price; cross: the mark. */
  price: Price;
  fee: Quote;
  /** What left the wallet, fee included; negative when a cross position was closed with a gain. */
  lost: Quote;
  /** What the wallet could not pay. */
  insurance: Quote;
}

/**
 * Whether the cross positions of an account are liquidated: what stands behind them is their maintenance or less.
 *
 * @see docs/margin.md#liquidation
 */
export function isCrossLiquidated(account: MarginAccount): boolean {
  const held = account.positions.some(({ holding }) => !holding.isolated && holding.quantity > 0);
  return held && crossMarginBalance(account) <= crossMaintenance(account);
}

/**
 * Liquidates an isolated position of a paper account: the whole margin set apart is lost, and nothing else.
 *
 * @see docs/margin.md#liquidation
 */
export function liquidateIsolated(wallet: Wallet, position: Pick<MarginPosition, 'holding' | 'market'>): Liquidation {
  const { holding, market } = position;
  // Funding may have eaten more than was set apart; that is paid already.
  const lost = Math.max(0, holding.margin);
  const liquidation: Liquidation = {
    pair: market.pair,
    quantity: holding.quantity,
    price: bankruptcyPrice(market, holding),
    fee: 0,
    lost,
    insurance: Math.max(0, exact(lost - wallet.quote)),
  };
  bookLiquidation(wallet, holding, liquidation);
  return liquidation;
}

/**
 * Liquidates all cross positions of a paper account at their marks, with taker fee and clearance fee. Margins of
 * isolated positions stay untouched; what the rest of the wallet cannot pay is insurance.
 *
 * @param takerFee @param clearanceFee `liquidationFee` of the product list, or {@link CLEARANCE_FEE}
 * @returns one a position, in their order
 * @see docs/margin.md#liquidation
 */
export function liquidateCross(account: MarginAccount, takerFee: Ratio, clearanceFee: Ratio): Liquidation[] {
  const { wallet } = account;
  const untouched = isolatedMargins(account);
  const cross = account.positions.filter(({ holding }) => !holding.isolated && holding.quantity > 0);
  let left = wallet.quote;
  return cross.map(({ holding, market, mark }, index) => {
    const value = notional(market, mark, holding.quantity);
    const fee = exact(mulDivUp(value, takerFee, SCALE) + mulDivUp(value, clearanceFee, SCALE));
    const lost = exact(fee - unrealised(market, holding, mark));
    left = exact(left - lost);
    const last = index === cross.length - 1;
    const liquidation: Liquidation = {
      pair: market.pair,
      quantity: holding.quantity,
      price: mark,
      fee,
      lost,
      insurance: last ? Math.max(0, exact(untouched - left)) : 0,
    };
    bookLiquidation(wallet, holding, liquidation);
    return liquidation;
  });
}

/** Books a liquidation as it is written in the log. @see docs/accounting.md#ledger-events, docs/margin.md#liquidation */
export function bookLiquidation(
  wallet: Wallet,
  holding: Holding,
  { fee, lost, insurance }: Pick<Liquidation, 'fee' | 'lost' | 'insurance'>,
): void {
  wallet.quote = exact(wallet.quote - lost + insurance);
  wallet.insurance = exact(wallet.insurance + insurance);
  holding.realised = exact(holding.realised - lost);
  holding.fees = exact(holding.fees + fee);
  holding.quantity = 0;
  holding.cost = 0;
  holding.margin = 0;
  setBasis(holding);
}

/**
 * What a paper wallet cannot pay (a fee beyond the last of an isolated margin, a loss that only unrealised gains cover)
 * is insurance too: it never falls below zero.
 *
 * @returns what was covered
 * @see docs/invariants.md#futures, I-19
 */
export function coverShortfall(wallet: Wallet): Quote {
  if (wallet.quote >= 0) return 0;
  const covered = -wallet.quote;
  wallet.quote = 0;
  wallet.insurance = exact(wallet.insurance + covered);
  return covered;
}
