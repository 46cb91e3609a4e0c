import type { Price, Quantity, Quote, Ratio } from '../money/units.ts';
import type { Signal } from '../strategies/strategy.ts';
import type { BotAlarm } from './botAlarm.ts';
import type { ClosedCandle, OrderFill } from './botEvents.ts';
import type { BotStatus, LoweredLeverage, PairPhase, PairState, Position } from './botState.ts';
import type { OrderPlanEvent } from './orderPlan.ts';
import type { LiveOrder, ParentOrder, ParentOrderEnd } from './parentOrder.ts';
import type { Refusal } from './refusal.ts';
import type { Suspension } from './suspension.ts';

/**
 * Is told everything that a bot does or does not do, with the inputs that decided it. The journal, the report of a
 * backtest and tests are witnesses; the engine never reads back from one.
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
  positionClosed(at: number, pair: PairState, position: Position, entry: Price, left: Quantity): void;
  /** A funding payment; `amount` above 0 was received. Rate and mark are null where the exchange tells only the amount. */
  funding(at: number, pair: PairState, amount: Quote, rate: Ratio | null, mark: Price | null): void;
  /** The exchange has closed a position that had lost its margin. */
  liquidation(
    at: number,
    pair: PairState,
    position: Position,
    lost: { price: Price; realised: Quote; fee: Quote; insurance: Quote },
  ): void;
  /** A ladder did something that no order tells. @see docs/strategies.md#grid, docs/strategies.md#dca */
  orderPlan(at: number, pair: PairState, what: OrderPlanEvent, inputs: Record<string, string | number>): void;
  /**
   * The bracket of an entry allows less leverage than the option asks for: told once, until either changes.
   *
   * @see docs/entries.md#leverage-and-margin-mode
   */
  leverage(at: number, pair: PairState, lowered: LoweredLeverage): void;
  /** The 24-hour volume of a pair fell below what entries need, or is enough again. @see docs/paper.md#volume */
  volume(at: number, pair: PairState, low: boolean, inputs: { volume24h: number; limit: number }): void;
  /** The exchange takes no new order in a pair, or takes them again: null. */
  suspension(at: number, pair: PairState, suspension: Suspension | null): void;
  phase(at: number, pair: PairState, from: PairPhase, to: PairPhase): void;
  /** @param pair null for what concerns the whole account */
  alarm(at: number, pair: PairState | null, what: BotAlarm, inputs?: Record<string, string>): void;
  /** A closed candle went through the strategy. */
  candle(pair: PairState, candle: ClosedCandle, signal: Signal): void;
}
