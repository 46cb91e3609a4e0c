import { exact, mulDivNearest, type Price, type Quantity, type Quote, type Ratio, SCALE } from '../money/units.ts';
import type { Account } from './account.ts';
import { bookClearance } from './clearance.ts';
import type { LedgerFill } from './fill.ts';
import { bookFundingAmount } from './funding.ts';
import { bookFuturesFill } from './futures.ts';
import { closeEntryCount, type Holding, setMarginBasis } from './holding.ts';
import { setLeverage } from './leverage.ts';
import { bookLiquidation, coverShortfall } from './liquidation.ts';
import { bookSpotFill } from './spot.ts';
import { turningParts } from './turning.ts';

/** Where money came from or went to. @see docs/accounting.md#ledger-events */
export type TransferSource = 'deposit' | 'withdraw' | 'convert' | 'unknown';

/**
 * The only things that change money; `id` is unique among the events of its type and pair.
 *
 * @see docs/accounting.md#ledger-events
 */
export type LedgerEvent =
  | {
      type: 'fill';
      /** Trade id of the exchange, or a number of the paper exchange. */
      id: string;
      at: number;
      pair: string;
      /** Client order id. */
      order: string;
      intent: string;
      side: 'buy' | 'sell';
      /** In hedge accounts. The engine keeps one side a pair, so that it changes nothing. */
      positionSide?: 'LONG' | 'SHORT';
      price: Price;
      quantity: Quantity;
      liquidity: 'maker' | 'taker';
      /** In asset units when `feeAsset` is the base, else in 1e-8 of `feeAsset`. */
      fee: number;
      feeAsset: string;
      /** Price of a third `feeAsset` in quote at the time. */
      feePrice?: Price;
      /** The exchange's own figure, which is booked. */
      realizedByExchange?: Quote;
    }
  | {
      type: 'funding';
      id: string;
      at: number;
      pair: string;
      /** Positive: received. */
      amount: Quote;
      rate: Ratio;
      mark: Price;
      quantity: Quantity;
    }
  /** `amount` in 1e-8 of the asset; positive: came in. */
  | { type: 'transfer'; id: string; at: number; asset: string; amount: number; source: TransferSource }
  | {
      type: 'liquidation';
      id: string;
      at: number;
      pair: string;
      quantity: Quantity;
      price: Price;
      fee: Quote;
      /** What left the wallet, fee included. */
      lost: Quote;
      /** What the wallet could not pay. */
      insurance: Quote;
    }
  /** What the exchange took or gave after forced closings. */
  | { type: 'clearance'; id: string; at: number; pair: string; amount: Quote }
  /**
   * Margin that the exchange has set apart for an isolated position: no money moves.
   *
   * @see docs/accounting.md#exchange-settings
   */
  | { type: 'margin'; id: string; at: number; pair: string; margin: Quote }
  | {
      type: 'adjust';
      id: string;
      at: number;
      pair: string;
      /** Less or more of what is held. */
      quantityDelta: Quantity;
      /** Direction of what is added to a flat pair; 1 when left out. */
      side?: 1 | -1;
      /** Mark at which the difference is valued. */
      price: Price;
      why: string;
    }
  /** Moves no money, but margin follows from it. @see docs/accounting.md#exchange-settings */
  | { type: 'leverage'; id: string; at: number; pair: string; leverage: number; isolated: boolean };

/**
 * Applies one event to the account. An event applied before changes nothing; an account is the fold of its log.
 *
 * @returns whether it was new
 * @see docs/accounting.md#ledger-events
 */
export function applyLedgerEvent(account: Account, event: LedgerEvent): boolean {
  if (isApplied(account, event)) return false;
  book(account, event);
  if (account.paper) coverShortfall(account.wallet);
  account.applied[keyOf(event)] = true;
  return true;
}

/** Whether an event is in the account already. */
export function isApplied(account: Account, event: LedgerEvent): boolean {
  return account.applied[keyOf(event)] === true;
}

/** Exchanges number trades by pair. */
function keyOf(event: LedgerEvent): string {
  return `${event.type}/${event.type === 'transfer' ? event.asset : event.pair}/${event.id}`;
}

function book(account: Account, event: LedgerEvent): void {
  const { wallet } = account;
  switch (event.type) {
    case 'fill': {
      const { side, price, quantity, fee, feeAsset } = event;
      const fill: LedgerFill = { side, price, quantity, fee, feeAsset };
      if (event.feePrice !== undefined) fill.thirdFeeValue = mulDivNearest(fee, event.feePrice, SCALE);
      if (event.realizedByExchange !== undefined) fill.pnl = event.realizedByExchange;
      bookFill(account, event.pair, fill);
      break;
    }
    case 'clearance':
      bookClearance(wallet, holdingOf(account, event.pair), event.amount);
      break;
    case 'margin': {
      const holding = holdingOf(account, event.pair);
      holding.margin = event.margin;
      setMarginBasis(holding);
      break;
    }
    case 'funding':
      bookFundingAmount(wallet, holdingOf(account, event.pair), event.amount);
      break;
    case 'transfer':
      if (event.asset === account.currency) {
        wallet.quote = exact(wallet.quote + event.amount);
        wallet.transfers = exact(wallet.transfers + event.amount);
      } else {
        wallet.third[event.asset] = exact((wallet.third[event.asset] ?? 0) + event.amount);
      }
      break;
    case 'liquidation': {
      const holding = holdingOf(account, event.pair);
      bookLiquidation(wallet, holding, event);
      closeEntryCount(holding);
      break;
    }
    case 'adjust':
      adjust(account, event);
      break;
    case 'leverage':
      setLeverage(holdingOf(account, event.pair), event.leverage, event.isolated);
  }
}

/**
 * Books a difference in quantity as a trade at `price` without a fee. On spot the value did not pass through our cash:
 * the asset itself came or went, which is a transfer. On futures the result is in the wallet.
 *
 * @see docs/accounting.md#quantity-differences
 */
function adjust(account: Account, event: Extract<LedgerEvent, { type: 'adjust' }>): void {
  const { wallet, currency } = account;
  const { quantityDelta, price, pair } = event;
  if (quantityDelta === 0) return;
  const before = wallet.quote;
  const holding = holdingOf(account, pair);
  const grows = quantityDelta > 0;
  const direction = holding.quantity === 0 ? (event.side ?? 1) : holding.side;
  const side = grows === (direction === 1) ? 'buy' : 'sell';
  bookFill(account, pair, { side, price, quantity: Math.abs(quantityDelta), fee: 0, feeAsset: currency });
  if (account.kind === 'futures') return;
  wallet.transfers = exact(wallet.transfers + before - wallet.quote);
  wallet.quote = before;
}

function bookFill(account: Account, pair: string, fill: LedgerFill): void {
  const holding = holdingOf(account, pair);
  const market = account.markets[pair];
  if (market === undefined) throw new ReferenceError(`the account does not know ${pair}`);
  if (account.kind === 'spot') bookSpotFill(account.wallet, holding, market, fill);
  else {
    const parts = turningParts(holding, fill);
    for (const part of parts === null ? [fill] : [parts.close, parts.open]) {
      bookFuturesFill(account.wallet, holding, market, part);
      if (part === parts?.close) closeEntryCount(holding);
    }
  }
  if (holding.quantity === 0) closeEntryCount(holding);
}

function holdingOf(account: Account, pair: string): Holding {
  const holding = account.holdings[pair];
  if (holding === undefined) throw new ReferenceError(`the account does not know ${pair}`);
  return holding;
}
