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

/** Source or destination of a transfer. @see docs/accounting.md#ledger-events */
export type TransferSource = 'deposit' | 'withdraw' | 'convert' | 'unknown';

/**
 * Nothing else changes money. `id` is unique among the events of its type and pair.
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
      /** Present in hedge accounts. It has no effect, since the engine keeps one side per pair. */
      positionSide?: 'LONG' | 'SHORT';
      price: Price;
      quantity: Quantity;
      liquidity: 'maker' | 'taker';
      /** In asset units when `feeAsset` is the base, else in 1e-8 of `feeAsset`. */
      fee: number;
      feeAsset: string;
      /** Price of a third `feeAsset` in quote at the time. */
      feePrice?: Price;
      /** Realised PnL as computed by the exchange; the ledger books it unchanged. */
      realizedByExchange?: Quote;
    }
  | {
      type: 'funding';
      id: string;
      at: number;
      pair: string;
      /** Positive when received. */
      amount: Quote;
      rate: Ratio;
      mark: Price;
      quantity: Quantity;
    }
  /** A transfer; `amount` is in 1e-8 of the asset, positive for a deposit. */
  | { type: 'transfer'; id: string; at: number; asset: string; amount: number; source: TransferSource }
  | {
      type: 'liquidation';
      id: string;
      at: number;
      pair: string;
      quantity: Quantity;
      price: Price;
      fee: Quote;
      /** Amount that left the wallet, fee included. */
      lost: Quote;
      /** Amount that the wallet could not pay. */
      insurance: Quote;
    }
  /** A fee (negative) or refund (positive) of the exchange after a forced closing. */
  | { type: 'clearance'; id: string; at: number; pair: string; amount: Quote }
  /**
   * Margin that the exchange has allocated to an isolated position. No money moves.
   *
   * @see docs/accounting.md#exchange-settings
   */
  | { type: 'margin'; id: string; at: number; pair: string; margin: Quote }
  | {
      type: 'adjust';
      id: string;
      at: number;
      pair: string;
      /** Change of the held quantity, in either direction. */
      quantityDelta: Quantity;
      /** Direction of a position that begins on a flat pair; 1 when omitted. */
      side?: 1 | -1;
      /** Mark price that values the difference. */
      price: Price;
      why: string;
    }
  /** A change of leverage or margin mode. It moves no money but changes the margin. @see docs/accounting.md#exchange-settings */
  | { type: 'leverage'; id: string; at: number; pair: string; leverage: number; isolated: boolean };

/**
 * Applies one event to the account. An event that was applied before changes nothing; an account is the fold of its log.
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

/** Returns whether an event was applied to the account before. */
export function isApplied(account: Account, event: LedgerEvent): boolean {
  return account.applied[keyOf(event)] === true;
}

/** Returns a key that includes the pair, since exchanges number trades per pair. */
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
 * Books a difference in quantity as a trade at `price` without a fee. On spot the asset itself was transferred, so the value
 * counts as a transfer and the cash stays unchanged. On futures the result is in the wallet.
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
