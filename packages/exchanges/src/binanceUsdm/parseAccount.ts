import type { Bracket } from '@heron/engine/ledger/brackets.ts';
import type { ExpiryReason, OwnFill, OwnIncome } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { percentRatio, SCALE, toUnits } from '@heron/engine/money/units.ts';
import type { LiveOrder } from '@heron/engine/state/parentOrder.ts';
import { feeOf, type MarketById, marketOf, sideOf, statusOf } from '../binance/parseAccount.ts';
import type { Row } from '../http/row.ts';
import type { Balance, ContractSettings, OpenOrder, OpenPosition } from '../trading.ts';
import { exactUnits, unitsUp } from '../venue/amounts.ts';
import { orderKey } from '../venue/orderIds.ts';

/** Reads an order of REST. */
export function orderOf(row: Row, marketById: MarketById): OpenOrder {
  const market = marketOf(row.symbol, marketById);
  return {
    clientOrderId: String(row.clientOrderId),
    pair: market.pair,
    side: sideOf(row.side),
    type: typeOf(row.type, row.timeInForce),
    price: exactUnits(String(row.price)),
    quantity: exactUnits(String(row.origQty), market.assetDecimals),
    filled: exactUnits(String(row.executedQty), market.assetDecimals),
    status: statusOf(row.status),
    at: Number(row.updateTime ?? row.time),
    exit: isReduceOnly(row.positionSide, row.side, row.reduceOnly, row.closePosition),
  };
}

/** Reads a conditional order of REST. When it triggers, it creates an order of its own. */
export function stopOf(row: Row, marketById: MarketById): OpenOrder {
  const market = marketOf(row.symbol, marketById);
  return {
    clientOrderId: String(row.clientAlgoId),
    pair: market.pair,
    side: sideOf(row.side),
    type: row.orderType === 'STOP_MARKET' ? 'stop_market' : null,
    price: 0,
    quantity: exactUnits(String(row.quantity ?? '0'), market.assetDecimals),
    trigger: {
      price: exactUnits(String(row.triggerPrice || '0')),
      by: row.workingType === 'MARK_PRICE' ? 'mark' : 'last',
    },
    filled: 0,
    status: stopStatusOf(row.algoStatus),
    at: Number(row.updateTime ?? row.createTime),
    exit: isReduceOnly(row.positionSide, row.side, row.reduceOnly, row.closePosition),
  };
}

/** Reads an `ALGO_UPDATE` as a row of REST, and the order that the stop became, if any. */
export function stopUpdateOf(event: Row): { row: Row; order: string | null } {
  const order = event.o as Row;
  const row = {
    ...{ clientAlgoId: order.caid, symbol: order.s, side: order.S, orderType: order.o, quantity: order.q },
    ...{
      algoStatus: order.X,
      updateTime: event.T,
      positionSide: order.ps,
      reduceOnly: order.R,
      closePosition: order.cp,
    },
    ...{ triggerPrice: order.tp, workingType: order.wt },
  };
  return { row, order: order.ai ? orderKey(order.s, order.ai) : null };
}

/** A triggered stop counts as open: the order that it became has the end state. */
function stopStatusOf(status: unknown): OpenOrder['status'] {
  switch (status) {
    case 'CANCELED':
      return 'canceled';
    case 'EXPIRED':
    case 'REJECTED':
      return 'expired';
    case 'NEW':
    case 'TRIGGERING':
    case 'TRIGGERED':
    case 'FINISHED':
      return 'open';
    default:
      throw new TypeError(`${String(status)} is not a known status`);
  }
}

/** Reads a row of `userTrades`. @param exit whether the order is reduce-only, which rows in one-way mode do not contain */
export function tradeOf(row: Row, market: Market, clientOrderId: string, exit: boolean): OwnFill {
  return {
    id: String(row.id),
    at: Number(row.time),
    pair: market.pair,
    clientOrderId,
    side: sideOf(row.side),
    price: exactUnits(String(row.price)),
    quantity: exactUnits(String(row.qty), market.assetDecimals),
    ...feeOf(row.commission, row.commissionAsset, market),
    liquidity: String(row.maker) === 'true' ? 'maker' : 'taker',
    exit: exit || isReduceOnly(row.positionSide, row.side, false, false),
    pnl: exactUnits(String(row.realizedPnl)),
    ...forcedBy(clientOrderId),
  };
}

/**
 * Reads an `ORDER_TRADE_UPDATE`: the new state of the order, and its fill, if any. Returns null for contracts that are not
 * listed.
 */
export function orderUpdateOf(
  event: Row,
  marketById: MarketById,
): { report: OpenOrder; order: string; fill: OwnFill | null } | null {
  const row = event.o as Row;
  const market = marketById(String(row.s));
  if (market === undefined) return null;
  const report: OpenOrder = {
    clientOrderId: String(row.c),
    pair: market.pair,
    side: sideOf(row.S),
    type: typeOf(row.o, row.f),
    price: exactUnits(String(row.p)),
    quantity: exactUnits(String(row.q), market.assetDecimals),
    filled: exactUnits(String(row.z), market.assetDecimals),
    status: statusOf(row.X),
    ...expiryOf(row.X, row.er),
    at: Number(row.T),
    exit: isReduceOnly(row.ps, row.S, row.R, row.cp),
  };
  // Forced closings have the execution type CALCULATED.
  const fills = (row.x === 'TRADE' || row.x === 'CALCULATED') && Number(row.t) > 0;
  const fill: OwnFill | null = !fills
    ? null
    : {
        ...{ id: String(row.t), at: report.at, pair: market.pair, clientOrderId: report.clientOrderId },
        side: report.side,
        price: exactUnits(String(row.L)),
        quantity: exactUnits(String(row.l), market.assetDecimals),
        ...feeOf(row.n ?? '0', row.N, market),
        liquidity: row.m === true ? 'maker' : 'taker',
        exit: report.exit,
        pnl: exactUnits(String(row.rp)),
        ...forcedBy(report.clientOrderId),
      };
  return { report, order: orderKey(row.s, row.i), fill };
}

/** Reasons by Binance's number; 0 is no reason. */
const EXPIRIES: Readonly<Record<string, ExpiryReason>> = {
  1: 'self_trade',
  2: 'unfilled_ioc',
  3: 'self_trade',
  4: 'reduce_only',
  5: 'liquidation',
  7: 'delisted',
  9: 'no_liquidity',
  10: 'unfilled_fok',
  11: 'would_take',
};

/** Returns the reason of an expired order; an empty object for other orders or without a reason. */
function expiryOf(status: unknown, reason: unknown): Pick<OpenOrder, 'expiry'> {
  if (status !== 'EXPIRED' && status !== 'EXPIRED_IN_MATCH') return {};
  if (reason === undefined || String(reason) === '0') return status === 'EXPIRED' ? {} : { expiry: 'self_trade' };
  return { expiry: EXPIRIES[String(reason)] ?? 'other' };
}

/** Reads a row of `positionRisk`. */
export function positionOf(row: Row, market: Market): OpenPosition {
  return {
    pair: market.pair,
    quantity: exactUnits(String(row.positionAmt), market.assetDecimals),
    entryPrice: toUnits(Number(row.entryPrice)),
    mark: toUnits(Number(row.markPrice)),
    margin: unitsUp(String(row.isolatedWallet)),
  };
}

/** Reads a row of `symbolConfig`. */
export function settingsOf(row: Row, market: Market): ContractSettings {
  return { pair: market.pair, leverage: Number(row.leverage), isolated: row.marginType === 'ISOLATED' };
}

/** Reads the brackets of a row of `leverageBracket`. */
export function bracketsOf(row: Row): readonly Bracket[] {
  return (row.brackets as Row[]).map((bracket) => ({
    floor: Number(bracket.notionalFloor) * SCALE,
    // Caps beyond 2^53 units are compared only and never reached.
    cap: Number(bracket.notionalCap) * SCALE,
    mmr: percentRatio(100 * Number(bracket.maintMarginRatio)),
    cum: Math.round(Number(bracket.cum) * SCALE),
    maxLeverage: Number(bracket.initialLeverage),
  }));
}

const INCOMES: Readonly<Record<string, OwnIncome['type']>> = {
  FUNDING_FEE: 'funding',
  INSURANCE_CLEAR: 'clearance',
};

/** Reads a row of `income`; null for income of trades, and for contracts that are not listed. */
export function incomeOf(row: Row, marketById: MarketById): OwnIncome | null {
  const type = INCOMES[String(row.incomeType)];
  const market = marketById(String(row.symbol));
  if (type === undefined || market === undefined || row.asset !== market.quote) return null;
  const amount = exactUnits(String(row.income));
  return { type, id: String(row.tranId), at: Number(row.time), pair: market.pair, amount };
}

/** Recognises orders by which Binance closes a position, by the prefix of their client ids. */
function forcedBy(clientOrderId: string): Pick<OwnFill, 'forced'> {
  if (clientOrderId.startsWith('autoclose-')) return { forced: 'liquidation' };
  // The final settlement of a contract closes every position.
  return /^(adl|settlement)_autoclose/.test(clientOrderId) ? { forced: 'deleveraging' } : {};
}

/** Returns the wallet balance of an asset, including the margin of positions and orders. */
export function walletOf(asset: unknown, amount: unknown): Balance {
  return { asset: String(asset), free: String(amount), locked: '0' };
}

/** Whether an order is reduce-only. @param positionSide BOTH in one-way mode, where orders have a flag */
function isReduceOnly(positionSide: unknown, side: unknown, reduceOnly: unknown, closePosition: unknown): boolean {
  if (positionSide === 'LONG') return side === 'SELL';
  if (positionSide === 'SHORT') return side === 'BUY';
  return String(reduceOnly) === 'true' || String(closePosition) === 'true';
}

function typeOf(type: unknown, timeInForce: unknown): LiveOrder['type'] | null {
  if (type === 'MARKET') return 'market';
  if (type !== 'LIMIT') return null;
  return timeInForce === 'GTX' ? 'limit_maker' : timeInForce === 'IOC' ? 'limit_ioc' : null;
}
