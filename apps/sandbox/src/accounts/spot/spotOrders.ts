import type { SelfTradePrevention, Side } from '../../book/book.ts';

/** The owner number of the demo account in the books. */
export const DEMO_OWNER = 1;

export type StopType = 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT';
export type OrderType = 'LIMIT' | 'MARKET' | 'LIMIT_MAKER' | StopType;
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';
export type OrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH';

/** Why an order expired, as Binance writes it. */
export type ExpiryReason =
  | 'REJECTED'
  | 'EXCHANGE_CANCELED'
  | 'UNFILLED_IOC_QUANTITY_EXPIRED'
  | 'UNFILLED_FOK_ORDER_EXPIRED'
  | 'INSUFFICIENT_LIQUIDITY'
  | 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED';

export type SpotOrder = {
  readonly symbol: string;
  readonly id: number;
  clientId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Limit price in ticks; 0 for market orders. */
  readonly tick: number;
  /** Last price in ticks that triggers a stop order; 0 for the others. */
  readonly stopTick: number;
  /** Steps ordered. For orders by value: the steps that the value bought. */
  steps: number;
  /** Value ordered, in units of the quote asset; 0 for orders by quantity. */
  readonly quoteOrdered: bigint;
  readonly selfTrade: SelfTradePrevention;
  readonly time: number;
  status: OrderStatus;
  /** Why it expired. */
  expiryReason?: ExpiryReason;
  /** Epoch milliseconds since which the order is in the book; -1 for a stop order that is not triggered. */
  workingTime: number;
  /** Steps filled. */
  filled: number;
  /** Steps lost to self-trade prevention. */
  prevented: number;
  /** Sum of tick × step over the fills. */
  turnover: bigint;
  updateTime: number;
  /** Reductions of the order, oldest first. */
  amendments: readonly Amendment[];
};

export type Amendment = { time: number; steps: { from: number; to: number }; clientId: { from: string; to: string } };

export type AccountTrade = {
  readonly symbol: string;
  readonly id: number;
  readonly orderId: number;
  readonly tick: number;
  readonly steps: number;
  readonly side: Side;
  readonly maker: boolean;
  readonly time: number;
  /** Units of `commissionAsset`. */
  readonly commission: bigint;
  readonly commissionAsset: string;
};

/** A record of the journal. Only these records change the account. */
export type SpotRecord =
  | { kind: 'deposit'; asset: string; units: string; time: number }
  | {
      kind: 'order';
      symbol: string;
      id: number;
      clientId: string;
      side: Side;
      type: OrderType;
      timeInForce: TimeInForce;
      tick: number;
      steps: number;
      /** Absent where it is 0, and in journals that are older than stop orders. */
      stopTick?: number;
      quoteOrdered: string;
      selfTrade: SelfTradePrevention;
      time: number;
    }
  /** A stop order is triggered. */
  | { kind: 'trigger'; symbol: string; orderId: number; time: number }
  /** An order loses steps to self-trade prevention. */
  | { kind: 'prevent'; symbol: string; orderId: number; steps: number; time: number }
  /** An order is reduced, and may get another client id. */
  | { kind: 'amend'; symbol: string; orderId: number; steps: number; clientId: string; time: number }
  | {
      kind: 'fill';
      symbol: string;
      orderId: number;
      tradeId: number;
      aggregateId: number;
      /** The order on the other side. */
      counterId: number;
      tick: number;
      steps: number;
      maker: boolean;
      time: number;
    }
  | {
      kind: 'end';
      symbol: string;
      orderId: number;
      status: 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH';
      /** Why it expired. Absent in journals that are older than this field. */
      reason?: ExpiryReason;
      /** Client id of the cancel request, empty without one. */
      clientId: string;
      time: number;
    };

export type Balance = { free: bigint; locked: bigint };

/** The changes of one applied record, as copies. */
export type AccountEvent = {
  kind: 'account';
  record: SpotRecord;
  /** Absent for deposits. */
  order?: SpotOrder;
  trade?: AccountTrade;
  balances: { asset: string; free: bigint; locked: bigint }[];
  time: number;
};

/** Returns the steps that an order can still fill. */
export function remainingSteps(order: SpotOrder): number {
  return order.steps - order.filled - order.prevented;
}

/** Whether an order is a stop order that is not triggered yet. */
export function isUntriggered(order: SpotOrder): boolean {
  return order.workingTime === -1;
}

/** Whether orders of a type have no limit price. */
export function isMarketPriced(type: OrderType): boolean {
  return type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT';
}
