import type { SelfTradePrevention, Side } from '../../book/book.ts';

/** The position an order acts on: the single one of one-way mode, or a side of hedge mode. */
export type PositionSide = 'BOTH' | 'LONG' | 'SHORT';
export type MarginType = 'CROSSED' | 'ISOLATED';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD';
export type OrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH';
export type OrderEnd = 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH';
export type AlgoType = 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET';
export type AlgoStatus = 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'EXPIRED' | 'REJECTED';
export type WorkingType = 'CONTRACT_PRICE' | 'MARK_PRICE';

/** An order as the client requests it. */
export type FuturesOrderRequest = {
  clientId: string;
  side: Side;
  positionSide: PositionSide;
  type: 'LIMIT' | 'MARKET';
  timeInForce: TimeInForce;
  /** Limit price in ticks; 0 for market orders. */
  tick: number;
  steps: number;
  reduceOnly: boolean;
  selfTrade: SelfTradePrevention;
  /** Expiry of a GTD order in epoch milliseconds; 0 for none. */
  goodTill: number;
};

export type FuturesOrder = Readonly<Omit<FuturesOrderRequest, 'tick' | 'steps'>> & {
  readonly symbol: string;
  readonly id: number;
  readonly time: number;
  /** Id of the conditional order it came from; 0 for none. */
  readonly algoId: number;
  /** Whether it liquidates a position. */
  readonly liquidation: boolean;
  tick: number;
  steps: number;
  status: OrderStatus;
  filled: number;
  /** Sum of tick × step over the fills. */
  turnover: bigint;
  updateTime: number;
};

/** A conditional order as the client requests it. Prices in units of 1e-8. */
export type AlgoOrderRequest = {
  clientId: string;
  side: Side;
  positionSide: PositionSide;
  type: AlgoType;
  /** GTE_GTC orders expire with the position. */
  timeInForce: TimeInForce | 'GTE_GTC';
  /** 0 when the order closes the whole position. */
  steps: number;
  /** Limit price in ticks of STOP and TAKE_PROFIT; 0 for the others. */
  tick: number;
  /** 0 for trailing stops */
  triggerPrice: number;
  /** Activation price of a trailing stop; 0 to activate at once. */
  activatePrice: number;
  /** Callback rate of a trailing stop, parts per 10,000. */
  callbackRate: number;
  workingType: WorkingType;
  closePosition: boolean;
  reduceOnly: boolean;
  priceProtect: boolean;
  selfTrade: SelfTradePrevention;
  goodTill: number;
};

export type AlgoOrder = Readonly<AlgoOrderRequest> & {
  readonly symbol: string;
  readonly id: number;
  readonly time: number;
  status: AlgoStatus;
  /** Id of the triggered order; 0 before. */
  orderId: number;
  /** Best price since a trailing stop was activated, units of 1e-8; 0 before. */
  extreme: number;
  triggerTime: number;
  updateTime: number;
  /** Why it was rejected; empty when it was not. */
  reason: string;
};

export type FuturesTrade = {
  readonly symbol: string;
  readonly id: number;
  readonly orderId: number;
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly tick: number;
  readonly steps: number;
  readonly maker: boolean;
  readonly time: number;
  /** Units of 1e-8 USDT. */
  readonly commission: bigint;
  readonly realised: bigint;
};

export type Position = {
  readonly symbol: string;
  readonly side: PositionSide;
  /** Above 0 long, below 0 short. */
  steps: number;
  /** Cost of the open position without fees, in units of 1e-8; entry price = cost / steps. */
  cost: bigint;
  /** Isolated margin in units of 1e-8; 0 in cross mode. */
  isolated: bigint;
  /** Realised profit since the account was opened, without fees. */
  realised: bigint;
  /** Epoch milliseconds since which the position is not flat. */
  since: number;
  updateTime: number;
};

export type IncomeType = 'TRANSFER' | 'REALIZED_PNL' | 'COMMISSION' | 'FUNDING_FEE' | 'INSURANCE_CLEAR';

/** One change of the wallet. */
export type Income = {
  readonly id: number;
  readonly type: IncomeType;
  /** '' for transfers */
  readonly symbol: string;
  readonly units: bigint;
  readonly time: number;
  /** 0 when no trade caused it */
  readonly tradeId: number;
};

/** A record of the journal. Only these records change a futures account. */
export type FuturesRecord =
  | { kind: 'deposit'; units: string; time: number }
  | { kind: 'leverage'; symbol: string; leverage: number; time: number }
  | { kind: 'marginType'; symbol: string; marginType: MarginType; time: number }
  | { kind: 'positionMode'; dual: boolean; time: number }
  | { kind: 'margin'; symbol: string; positionSide: PositionSide; units: string; time: number }
  | ({
      kind: 'order';
      symbol: string;
      id: number;
      algoId: number;
      liquidation: boolean;
      time: number;
    } & FuturesOrderRequest)
  | { kind: 'amend'; symbol: string; orderId: number; tick: number; steps: number; time: number }
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
  | { kind: 'end'; symbol: string; orderId: number; status: OrderEnd; time: number }
  | ({ kind: 'algo'; symbol: string; id: number; time: number } & AlgoOrderRequest)
  | { kind: 'trail'; algoId: number; extreme: number; time: number }
  | { kind: 'trigger'; algoId: number; orderId: number; time: number }
  | { kind: 'algoEnd'; algoId: number; status: 'CANCELED' | 'EXPIRED' | 'REJECTED'; reason: string; time: number }
  | {
      kind: 'funding';
      symbol: string;
      positionSide: PositionSide;
      /** Parts per 100,000,000. */
      rate: number;
      /** Units of 1e-8. */
      mark: number;
      time: number;
    }
  /** The mark price at which the funding of a contract was settled, units of 1e-8. */
  | { kind: 'fundingMark'; symbol: string; mark: number; time: number }
  | { kind: 'insurance'; symbol: string; positionSide: PositionSide; units: string; time: number };

/** The changes of one applied record, as copies. */
export type FuturesChange = {
  kind: 'account';
  record: FuturesRecord;
  order?: FuturesOrder;
  trade?: FuturesTrade;
  algo?: AlgoOrder;
  positions: Position[];
  wallet: bigint;
  crossWallet: bigint;
  /** Change of the wallet in units of 1e-8. */
  change: bigint;
  time: number;
};
