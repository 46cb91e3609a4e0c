import type { Price, Quantity, Quote, Ratio } from '../money/units.ts';
import type { Signal } from '../strategies/strategy.ts';
import type { BotAlarm } from './botAlarm.ts';
import type { ClosedCandle, OrderFill } from './botEvents.ts';
import type { BotStatus, LoweredLeverage, PairPhase, PairState, Position } from './botState.ts';
import type { ClosedPosition } from './closedPosition.ts';
import type { OrderPlanEvent } from './orderPlan.ts';
import type { LiveOrder, ParentOrder, ParentOrderEnd } from './parentOrder.ts';
import type { Refusal } from './refusal.ts';
import type { Suspension } from './suspension.ts';

/**
 * Is called with everything that a bot does or refuses, and the inputs of the decision. The journal, the backtest report and
 * tests are observers; the engine never reads from one.
 */
export interface BotObserver {
  status(at: number, from: BotStatus, to: BotStatus): void;
  command(at: number, pair: string | null, command: string, inputs: Record<string, string | number>): void;
  signal(at: number, pair: PairState, side: 'buy' | 'sell', close: number): void;
  refusal(at: number, pair: PairState, gate: Refusal, inputs: Record<string, string | number>): void;
  parentOrder(at: number, pair: PairState, parent: ParentOrder): void;
  order(at: number, pair: PairState, parent: ParentOrder, order: LiveOrder, status: string): void;
  fill(
    at: number,
    pair: PairState,
    parent: ParentOrder,
    fill: OrderFill,
    booked: { realised: Quote; feeQuote: Quote },
  ): void;
  parentOrderEnd(at: number, pair: PairState, parent: ParentOrder, how: ParentOrderEnd): void;
  /** @param left dust that the ledger keeps */
  positionClosed(pair: PairState, closed: ClosedPosition, left: Quantity): void;
  /** A result came after the position was closed; `closed` contains it, `before` does not. */
  closedChanged(pair: PairState, closed: ClosedPosition, before: ClosedPosition): void;
  /** A funding payment; `amount` above 0 was received. Rate and mark are null where the exchange gives only the amount. */
  funding(at: number, pair: PairState, amount: Quote, rate: Ratio | null, mark: Price | null): void;
  /** The exchange liquidated a position. */
  liquidation(
    at: number,
    pair: PairState,
    position: Position,
    lost: { price: Price; realised: Quote; fee: Quote; insurance: Quote },
  ): void;
  /** An event of an order plan that no order shows. @see docs/strategies.md#grid, docs/strategies.md#dca */
  orderPlan(at: number, pair: PairState, what: OrderPlanEvent, inputs: Record<string, string | number>): void;
  /**
   * The bracket of an entry allows less leverage than the option; called once until either changes.
   *
   * @see docs/entries.md#leverage-and-margin-mode
   */
  leverage(at: number, pair: PairState, lowered: LoweredLeverage): void;
  /** The 24-hour volume of a pair fell below what entries need, or is enough again. @see docs/paper.md#volume */
  volume(at: number, pair: PairState, low: boolean, inputs: { volume24h: number; limit: number }): void;
  /** The exchange accepts no new order in a pair; null once it accepts them again. */
  suspension(at: number, pair: PairState, suspension: Suspension | null): void;
  phase(at: number, pair: PairState, from: PairPhase, to: PairPhase): void;
  /** @param pair null for what concerns the whole account */
  alarm(at: number, pair: PairState | null, what: BotAlarm, inputs?: Record<string, string>): void;
  /** The strategy processed a closed candle. */
  candle(pair: PairState, candle: ClosedCandle, signal: Signal): void;
}
