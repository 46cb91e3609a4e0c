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

/** Clearance fee of a pair without one in the product list. @see docs/margin.md#liquidation */
export const CLEARANCE_FEE: Ratio = 1_250_000;

/** Result of a liquidation. */
export interface Liquidation {
  pair: string;
  quantity: Quantity;
  /** Isolated: the bankruptcy price; cross: the mark. */
  price: Price;
  fee: Quote;
  /** Amount that left the wallet, fee included; negative when a cross position was closed with a gain. */
  lost: Quote;
  /** Amount that the wallet could not pay. */
  insurance: Quote;
}

/**
 * Returns whether the cross positions of an account are liquidated: their margin balance is at or below their maintenance margin.
 *
 * @see docs/margin.md#liquidation
 */
export function isCrossLiquidated(account: MarginAccount): boolean {
  const held = account.positions.some(({ holding }) => !holding.isolated && holding.quantity > 0);
  return held && crossMarginBalance(account) <= crossMaintenance(account);
}

/**
 * Liquidates an isolated position of a paper account, which loses exactly its allocated margin.
 *
 * @see docs/margin.md#liquidation
 */
export function liquidateIsolated(wallet: Wallet, position: Pick<MarginPosition, 'holding' | 'market'>): Liquidation {
  const { holding, market } = position;
  // Funding may have exceeded the allocated margin; the wallet has paid it already.
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
 * Liquidates all cross positions of a paper account at their marks, with taker fee and clearance fee. Margins of isolated
 * positions do not change. Insurance covers the amount that the rest of the wallet cannot pay.
 *
 * @param takerFee @param clearanceFee `liquidationFee` of the product list, or {@link CLEARANCE_FEE}
 * @returns one liquidation per position, in the order of the positions
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

/** Books a liquidation of the log. @see docs/accounting.md#ledger-events, docs/margin.md#liquidation */
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
 * Covers a negative balance of a paper wallet by insurance, so that the wallet never stays below zero. Causes are a fee beyond the
 * rest of an isolated margin, or a loss that only unrealised gains cover.
 *
 * @returns the covered amount
 * @see docs/invariants.md#futures, I-19
 */
export function coverShortfall(wallet: Wallet): Quote {
  if (wallet.quote >= 0) return 0;
  const covered = -wallet.quote;
  wallet.quote = 0;
  wallet.insurance = exact(wallet.insurance + covered);
  return covered;
}
