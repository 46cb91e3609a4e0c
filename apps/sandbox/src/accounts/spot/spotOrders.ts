import type { SelfTradePrevention, Side } from '../../book/book.ts';

/** The owner number of the demo account in the books. */
export const DEMO_OWNER = 1;

export type StopType = 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT';
export type OrderType = 'LIMIT' | 'MARKET' | 'LIMIT_MAKER' | StopType;
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';
export type OrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH';

/** Binance's words for why an order expired. */
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
  /** limit price in ticks; 0 for orders at market */
  readonly tick: number;
  /** last price in ticks that wakes a stop order; 0 for others */
  readonly stopTick: number;
  /** steps ordered; for orders by value, the steps that the value bought */
  steps: number;
  /** value ordered, in units of the quote asset; 0 for orders by quantity */
  readonly quoteOrdered: bigint;
  readonly selfTrade: SelfTradePrevention;
  readonly time: number;
  status: OrderStatus;
  /** why it expired */
  expiryReason?: ExpiryReason;
  /** when it began to work; -1 for a stop order that still waits */
  workingTime: number;
  /** steps filled */
  filled: number;
  /** steps lost to self-trade prevention */
  prevented: number;
  /** sum of tick × step over the fills */
  turnover: bigint;
  updateTime: number;
  /** how it was made smaller, oldest first */
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
  /** units of `commissionAsset` */
  readonly commission: bigint;
  readonly commissionAsset: string;
};

/** What can happen to the account. The journal is a list of these, and nothing else changes the account. */
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
      /** absent where it is 0, as in journals from before there were stop orders */
      stopTick?: number;
      quoteOrdered: string;
      selfTrade: SelfTradePrevention;
      time: number;
    }
  /** a stop order begins to work */
  | { kind: 'trigger'; symbol: string; orderId: number; time: number }
  /** an order loses steps to self-trade prevention */
  | { kind: 'prevent'; symbol: string; orderId: number; steps: number; time: number }
  /** an order is made smaller, and may get another client id */
  | { kind: 'amend'; symbol: string; orderId: number; steps: number; clientId: string; time: number }
  | {
      kind: 'fill';
      symbol: string;
      orderId: number;
      tradeId: number;
      aggregateId: number;
      /** order on the other side */
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
      /** why it expired; absent in journals from before there were reasons */
      reason?: ExpiryReason;
      /** client id of the cancel request, if it was one */
      clientId: string;
      time: number;
    };

export type Balance = { free: bigint; locked: bigint };

/** What an applied record changed, as it stood right then. */
export type AccountEvent = {
  kind: 'account';
  record: SpotRecord;
  /** a copy; absent for deposits */
  order?: SpotOrder;
  trade?: AccountTrade;
  balances: { asset: string; free: bigint; locked: bigint }[];
  time: number;
};

/** Steps that an order can still fill. */
export function remainingSteps(order: SpotOrder): number {
  return order.steps - order.filled - order.prevented;
}

/** Whether it is a stop order that its price has not woken yet. */
export function isUntriggered(order: SpotOrder): boolean {
  return order.workingTime === -1;
}

/** Whether orders of a type take any price. */
export function isMarketPriced(type: OrderType): boolean {
  return type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT';
}
