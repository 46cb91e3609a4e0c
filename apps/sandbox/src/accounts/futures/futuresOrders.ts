import type { SelfTradePrevention, Side } from '../../book/book.ts';

/** Which position an order works on: the one of one-way mode, or a side of hedge mode. */
export type PositionSide = 'BOTH' | 'LONG' | 'SHORT';
export type MarginType = 'CROSSED' | 'ISOLATED';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD';
export type OrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH';
export type OrderEnd = 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH';
export type AlgoType = 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET';
export type AlgoStatus = 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'EXPIRED' | 'REJECTED';
export type WorkingType = 'CONTRACT_PRICE' | 'MARK_PRICE';

/** What is asked for in an order at the book. */
export type FuturesOrderRequest = {
  clientId: string;
  side: Side;
  positionSide: PositionSide;
  type: 'LIMIT' | 'MARKET';
  timeInForce: TimeInForce;
  /** limit price in ticks; 0 for market orders */
  tick: number;
  steps: number;
  reduceOnly: boolean;
  selfTrade: SelfTradePrevention;
  /** when a GTD order ends, epoch milliseconds; 0 for none */
  goodTill: number;
};

export type FuturesOrder = Readonly<Omit<FuturesOrderRequest, 'tick' | 'steps'>> & {
  readonly symbol: string;
  readonly id: number;
  readonly time: number;
  /** the conditional order it came from; 0 for none */
  readonly algoId: number;
  /** a forced closing */
  readonly liquidation: boolean;
  tick: number;
  steps: number;
  status: OrderStatus;
  filled: number;
  /** sum of tick × step over the fills */
  turnover: bigint;
  updateTime: number;
};

/** What is asked for in a conditional order. Prices in units of 1e-8. */
export type AlgoOrderRequest = {
  clientId: string;
  side: Side;
  positionSide: PositionSide;
  type: AlgoType;
  /** GTE_GTC ends with the position */
  timeInForce: TimeInForce | 'GTE_GTC';
  /** 0 when it closes the position */
  steps: number;
  /** limit price in ticks of STOP and TAKE_PROFIT; else 0 */
  tick: number;
  /** 0 for trailing stops */
  triggerPrice: number;
  /** of trailing stops; 0 for at once */
  activatePrice: number;
  /** of trailing stops, parts per 10,000 */
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
  /** the order it became; 0 before */
  orderId: number;
  /** best price seen by a trailing stop since it is active, units of 1e-8; 0 before */
  extreme: number;
  triggerTime: number;
  updateTime: number;
  /** why it was rejected */
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
  /** units of USDT */
  readonly commission: bigint;
  readonly realised: bigint;
};

export type Position = {
  readonly symbol: string;
  readonly side: PositionSide;
  /** above 0 long, below 0 short */
  steps: number;
  /** what the open part cost, without fees, in units; entry price = cost / steps */
  cost: bigint;
  /** margin set aside for it, in units; 0 in cross mode */
  isolated: bigint;
  /** realised since the account was opened, without fees */
  realised: bigint;
  /** since when it is not flat */
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

/** What can happen to a futures account. The journal is a list of these, and nothing else changes the account. */
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
      /** order on the other side */
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
      /** parts per 100,000,000 */
      rate: number;
      /** units of 1e-8 */
      mark: number;
      time: number;
    }
  /** the mark price that fundings of a contract were settled at, whoever held it; units of 1e-8 */
  | { kind: 'fundingMark'; symbol: string; mark: number; time: number }
  | { kind: 'insurance'; symbol: string; positionSide: PositionSide; units: string; time: number };

/** What an applied record changed, as it stood right then. */
export type FuturesChange = {
  kind: 'account';
  record: FuturesRecord;
  order?: FuturesOrder;
  trade?: FuturesTrade;
  algo?: AlgoOrder;
  positions: Position[];
  wallet: bigint;
  crossWallet: bigint;
  /** what the wallet gained or lost by it */
  change: bigint;
  time: number;
};
