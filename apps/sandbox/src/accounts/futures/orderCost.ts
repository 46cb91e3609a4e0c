import type { Side } from '../../book/book.ts';
import type { Contract } from './contracts.ts';
import { TAKER_FEE } from './futuresAccount.ts';
import type { PositionSide } from './futuresOrders.ts';
import { maxNotionalAt, valueAt } from './margin.ts';
import { absolute, orderMargin, type PositionFigures } from './statement.ts';

const PER_MILLION = 1_000_000n;

/** The part of the available margin that an opening order needs. */
export type OrderCost = {
  /** Margin, loss at the mark price and fee, in units of 1e-8; 0 when it needs no more than is reserved already. */
  units: bigint;
  /** Whether the position could exceed the maximum at the leverage. */
  tooLarge: boolean;
};

/** An order whose cost is computed, and the position that it changes. */
export type OrderCostInput = {
  contract: Contract;
  leverage: number;
  /** Mark price in units of 1e-8. */
  mark: number;
  /** Figures of the position; undefined when it is flat and has no orders. */
  row: PositionFigures | undefined;
  /** The order, with its assumed value in units of 1e-8. */
  order: { side: Side; positionSide: PositionSide; steps: number; value: bigint };
  /** Value of an open order on the same side that the new one replaces, in units of 1e-8. */
  freed: bigint;
};

/** Returns the cost of an opening order. */
export function orderCost({ contract, leverage, mark, row, order, freed }: OrderCostInput): OrderCost {
  const { side, positionSide, steps, value } = order;
  const notional = row?.notional ?? 0n;
  const was = { bid: row?.bidNotional ?? 0n, ask: row?.askNotional ?? 0n };
  const bid = side === 'buy' ? was.bid - freed + value : was.bid;
  const ask = side === 'sell' ? was.ask - freed + value : was.ask;
  const max = [notional + bid, notional - ask].map(absolute).reduce((a, b) => (a > b ? a : b));
  const grows = max > absolute(notional) + (side === 'buy' ? was.bid : was.ask);
  const tooLarge = grows && max > BigInt(maxNotionalAt(contract, leverage)) * 10n ** 8n;
  const more =
    orderMargin(positionSide, notional, bid, ask, leverage) -
    orderMargin(positionSide, notional, was.bid, was.ask, leverage);
  if (more <= 0n) return { units: 0n, tooLarge };
  const fair = valueAt(contract, mark, steps);
  const loss = side === 'buy' ? value - fair : fair - value;
  return { units: more + (loss > 0n ? loss : 0n) + (value * TAKER_FEE) / PER_MILLION, tooLarge };
}
