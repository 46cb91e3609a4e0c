import type { Witness } from '../bot/witness.ts';
import type { Market } from '../market/market.ts';
import { mulDiv, type Price, powerOfTen, type Quantity, type Quote } from '../money/units.ts';
import type { IntentEnd, Reason } from '../orders/intent.ts';
import { slippagePercent } from './journal.ts';

export interface FillRecord {
  /** Open time of the candle it fell in. */
  at: number;
  side: 'buy' | 'sell';
  quantity: Quantity;
  price: Price;
  /** In asset units when `feeAsset` is the base, else in 1e-8. */
  fee: number;
  feeAsset: string;
  feeQuote: Quote;
  liquidity: 'maker' | 'taker';
  reason: Reason;
}

/** One intent with fills. @see accounting.md 6 */
export interface TradeRecord {
  id: string;
  kind: 'entry' | 'exit';
  side: 'buy' | 'sell';
  reason: Reason;
  openedAt: number;
  closedAt: number;
  quantity: Quantity;
  averagePrice: Price;
  firstPrice: Price;
  slippagePercent: number;
  feeQuote: Quote;
  /** Net result of an exit; 0 of an entry. */
  realised: Quote;
  how: IntentEnd;
}

/** A closed position, flat to flat. */
export interface ClosedPosition {
  openedAt: number;
  closedAt: number;
  entryPrice: Price;
  net: Quote;
  fees: Quote;
}

/** What a run traded, and what it refused to. */
export interface RunRecord {
  fills: FillRecord[];
  trades: TradeRecord[];
  positions: ClosedPosition[];
  /** Refusals counted by gate. */
  refusals: Record<string, number>;
  /** Candles at whose close a position was held. */
  heldCandles: number;
}

export function createRunRecord(): RunRecord {
  return { fills: [], trades: [], positions: [], refusals: {}, heldCandles: 0 };
}

/** A witness that keeps what a report needs. */
export function recordWitness(record: RunRecord, market: Market): Witness {
  const nothing = () => {};
  return {
    status: nothing,
    command: nothing,
    signal: nothing,
    intent: nothing,
    order: nothing,
    phase: nothing,
    alarm: nothing,
    refusal: (_at, _pair, gate) => {
      record.refusals[gate] = (record.refusals[gate] ?? 0) + 1;
    },
    fill: (at, _pair, intent, fill, { feeQuote }) => {
      record.fills.push({
        at,
        side: intent.side,
        quantity: fill.quantity,
        price: fill.price,
        fee: fill.fee,
        feeAsset: fill.feeAsset,
        feeQuote,
        liquidity: fill.liquidity,
        reason: intent.reason,
      });
    },
    intentEnd: (at, _pair, intent, how) => {
      if (intent.filled === 0) return;
      const averagePrice = mulDiv(intent.notional, powerOfTen(market.assetDecimals), intent.filled);
      record.trades.push({
        id: intent.id,
        kind: intent.kind,
        side: intent.side,
        reason: intent.reason,
        openedAt: intent.openedAt,
        closedAt: at,
        quantity: intent.filled,
        averagePrice,
        firstPrice: intent.firstPrice,
        slippagePercent: slippagePercent(intent, averagePrice),
        feeQuote: intent.feeQuote,
        realised: intent.realised,
        how,
      });
    },
    positionClosed: (at, _pair, position, entryPrice) => {
      record.positions.push({
        openedAt: position.openedAt,
        closedAt: at,
        entryPrice,
        net: position.realised,
        fees: position.feeQuote,
      });
    },
    candle: (pair) => {
      if (pair.position !== null) record.heldCandles += 1;
    },
  };
}
