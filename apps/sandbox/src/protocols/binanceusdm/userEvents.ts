import type { Contract } from '../../accounts/futures/contracts.ts';
import type {
  AlgoOrder,
  FuturesChange,
  FuturesOrder,
  FuturesRecord,
  Position,
} from '../../accounts/futures/futuresOrders.ts';
import { valueAt } from '../../accounts/futures/margin.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import type { MarginCall } from '../../venues/futures/futuresState.ts';
import { breakEvenPrice, entryPrice } from './accountRows.ts';
import { rejection } from './errors.ts';
import { markPrice, money, plain } from './format.ts';
import { algoRow, averagePrice, orderRow } from './orderRows.ts';

/** An event of the account stream; `e` is its name. */
export type UserEvent = { e: string; [name: string]: unknown };

/** Returns the events of the account stream for a change, in the order in which they are sent. */
export function userEvents(exchange: FuturesExchange, change: FuturesChange, now: number): UserEvent[] {
  const { record, order, algo } = change;
  const events: UserEvent[] = [];
  if (record.kind === 'leverage') {
    events.push(configUpdate(record.symbol, record.leverage, change.time, now));
  }
  const reason = REASONS[record.kind];
  if (reason !== undefined) events.push(accountUpdate(exchange, change, reason, now));
  if (order && record.kind === 'order') {
    // TRIGGERING comes before the first event of the triggered order.
    const algo = exchange.account.algo(order.algoId);
    if (algo) events.push(algoUpdate(exchange, { ...algo, orderId: 0 }, 'TRIGGERING', change.time, now));
  }
  if (order) events.push(orderTradeUpdate(exchange, change, order, now));
  if (algo && record.kind !== 'trail') {
    events.push(algoUpdate(exchange, algo, algo.status, change.time, now));
    if (record.kind === 'algoEnd' && record.status === 'REJECTED') events.push(triggerReject(algo, change.time, now));
  }
  return events;
}

/** Reasons of the records that change wallet or positions. */
const REASONS: { readonly [kind in FuturesRecord['kind']]?: string } = {
  deposit: 'DEPOSIT',
  fill: 'ORDER',
  funding: 'FUNDING_FEE',
  insurance: 'INSURANCE_CLEAR',
  margin: 'MARGIN_TRANSFER',
  marginType: 'MARGIN_TYPE_CHANGE',
};

/** Returns a MARGIN_CALL event: margin is nearly used up. */
export function marginCall(call: MarginCall, now: number): UserEvent {
  return {
    e: 'MARGIN_CALL',
    E: now,
    cw: money(call.crossWallet),
    p: call.positions.map((row) => ({
      s: row.contract.symbol,
      ps: row.position.side,
      pa: plain(row.position.steps, row.contract.quantityDecimals),
      mt: row.marginType,
      iw: money(row.position.isolated),
      mp: markPrice(row.mark),
      up: money(row.unrealised),
      mm: money(row.maintenance),
    })),
  };
}

function configUpdate(symbol: string, leverage: number, time: number, now: number): UserEvent {
  return { e: 'ACCOUNT_CONFIG_UPDATE', E: now, T: time, ac: { s: symbol, l: leverage } };
}

function accountUpdate(exchange: FuturesExchange, change: FuturesChange, reason: string, now: number): UserEvent {
  // A payment from the cross wallet changes no position.
  const showsPositions = change.record.kind !== 'funding' || isIsolated(exchange, change.record.symbol);
  // Binance counts trading as no change of the balance.
  const outside = reason === 'ORDER' ? 0n : change.change;
  return {
    e: 'ACCOUNT_UPDATE',
    E: now,
    T: change.time,
    a: {
      m: reason,
      B: [{ a: 'USDT', wb: money(change.wallet), cw: money(change.crossWallet), bc: money(outside) }],
      P: showsPositions ? changedPositions(exchange, change).map((position) => positionUpdate(exchange, position)) : [],
    },
  };
}

/**
 * Returns the positions of a change; a change of the margin type lists all positions of its contract, flat ones
 * included.
 */
function changedPositions({ account }: FuturesExchange, { record, positions }: FuturesChange): readonly Position[] {
  if (record.kind !== 'marginType') return positions;
  const sides = account.hedgeMode ? (['LONG', 'SHORT'] as const) : (['BOTH'] as const);
  return sides.map((side) => account.position(record.symbol, side));
}

function isIsolated(exchange: FuturesExchange, symbol: string): boolean {
  return exchange.account.settings(symbol).marginType === 'ISOLATED';
}

function positionUpdate(exchange: FuturesExchange, position: Position): object {
  const contract = exchange.account.contracts.get(position.symbol) as Contract;
  const { mark } = exchange.mark(exchange.market(position.symbol) as PairMarket);
  const value = valueAt(contract, mark, Math.abs(position.steps));
  return {
    s: position.symbol,
    pa: plain(position.steps, contract.quantityDecimals),
    ep: entryPrice(contract, position),
    bep: breakEvenPrice(contract, position),
    cr: money(position.realised),
    up: money(position.steps < 0 ? position.cost - value : value - position.cost),
    mt: isIsolated(exchange, position.symbol) ? 'isolated' : 'cross',
    iw: money(position.isolated),
    ps: position.side,
    ma: 'USDT',
  };
}

function executionType(record: FuturesRecord, order: FuturesOrder): string {
  if (record.kind === 'fill') return order.liquidation ? 'CALCULATED' : 'TRADE';
  if (record.kind === 'amend') return 'AMENDMENT';
  if (record.kind === 'end') return record.status === 'CANCELED' ? 'CANCELED' : 'EXPIRED';
  return 'NEW';
}

/** Returns Binance's number for the reason of an expiry; 0 for none. */
function expiryNumber(record: FuturesRecord, { type, timeInForce, reduceOnly }: FuturesOrder): string {
  if (record.kind !== 'end' || record.status === 'CANCELED') return '0';
  if (record.status === 'EXPIRED_IN_MATCH') return timeInForce === 'IOC' ? '3' : '1';
  if (type === 'MARKET') return '9';
  const byTime: Record<string, string> = { IOC: '2', FOK: '10', GTX: '11' };
  return byTime[timeInForce] ?? (reduceOnly ? '4' : '0');
}

function orderTradeUpdate(
  exchange: FuturesExchange,
  { record, trade, time }: FuturesChange,
  order: FuturesOrder,
  now: number,
): UserEvent {
  const contract = exchange.account.contracts.get(order.symbol) as Contract;
  const row = orderRow(exchange.account, order);
  return {
    e: 'ORDER_TRADE_UPDATE',
    E: now,
    T: time,
    o: {
      s: order.symbol,
      c: order.clientId,
      S: row.side,
      o: order.type,
      f: order.timeInForce,
      q: row.origQty,
      p: row.price,
      ap: row.avgPrice,
      sp: row.stopPrice,
      x: executionType(record, order),
      X: order.status,
      i: order.id,
      l: plain(trade?.steps ?? 0, contract.quantityDecimals),
      z: row.executedQty,
      L: plain(trade?.tick ?? 0, contract.priceDecimals),
      n: trade ? money(trade.commission) : '0',
      N: 'USDT',
      T: time,
      t: trade?.id ?? 0,
      b: '0',
      a: '0',
      m: trade?.maker ?? false,
      R: order.reduceOnly,
      wt: row.workingType,
      ot: row.origType,
      ps: order.positionSide,
      cp: row.closePosition,
      rp: money(trade?.realised ?? 0n),
      pP: row.priceProtect,
      si: 0,
      ss: 0,
      V: order.selfTrade,
      pm: 'NONE',
      gtd: order.goodTill,
      er: expiryNumber(record, order),
    },
  };
}

function algoUpdate(exchange: FuturesExchange, algo: AlgoOrder, status: string, time: number, now: number): UserEvent {
  const contract = exchange.account.contracts.get(algo.symbol) as Contract;
  const order = exchange.account.order(algo.symbol, algo.orderId);
  const row = algoRow(exchange.account, algo);
  return {
    e: 'ALGO_UPDATE',
    T: time,
    E: now,
    o: {
      caid: algo.clientId,
      aid: algo.id,
      at: 'CONDITIONAL',
      o: algo.type,
      s: algo.symbol,
      S: row.side,
      ps: algo.positionSide,
      f: algo.timeInForce,
      q: row.quantity,
      X: status,
      ai: order ? String(order.id) : '',
      // Only triggered orders have these fields.
      ...(order && {
        ap: averagePrice(contract, order.turnover, order.filled),
        aq: plain(order.filled, contract.quantityDecimals),
        act: order.type,
      }),
      tp: row.triggerPrice,
      p: row.price,
      V: algo.selfTrade,
      wt: algo.workingType,
      pm: 'NONE',
      cp: algo.closePosition,
      pP: algo.priceProtect,
      R: algo.reduceOnly,
      tt: algo.triggerTime,
      gtd: algo.goodTill,
      ...(algo.reason !== '' && { rm: rejection(algo.reason) }),
      ia: false,
    },
  };
}

function triggerReject(algo: AlgoOrder, time: number, now: number): UserEvent {
  return {
    e: 'CONDITIONAL_ORDER_TRIGGER_REJECT',
    E: now,
    T: time,
    or: { s: algo.symbol, i: algo.id, r: rejection(algo.reason) },
  };
}
