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

/** An order, or its end, as REST tells it. */
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
    exit: onlyReduces(row.positionSide, row.side, row.reduceOnly, row.closePosition),
  };
}

/** A conditional order that waits, as REST tells it; what it becomes when it is triggered is an order of its own. */
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
    exit: onlyReduces(row.positionSide, row.side, row.reduceOnly, row.closePosition),
  };
}

/** An `ALGO_UPDATE` as a row of REST, and the order that the stop has become, if it has. */
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

/** Once triggered the order that it has become tells how it ends. */
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
      throw new TypeError(`${String(status)} is no status that we know`);
  }
}

/** A row of `userTrades`. @param exit of an order that only reduces, which the row does not tell in one-way mode */
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
    exit: exit || onlyReduces(row.positionSide, row.side, false, false),
    pnl: exactUnits(String(row.realizedPnl)),
    ...forcedBy(clientOrderId),
  };
}

/**
 * An `ORDER_TRADE_UPDATE`: the order as it is now, and the fill that it tells of, if any. Null for contracts that we do
 * not know.
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
    exit: onlyReduces(row.ps, row.S, row.R, row.cp),
  };
  // Forced closings are calculated, not traded.
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

/** By Binance's number; 0 is none. */
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

/** Why an order has expired; nothing of others, or where the venue gives no reason. */
function expiryOf(status: unknown, reason: unknown): Pick<OpenOrder, 'expiry'> {
  if (status !== 'EXPIRED' && status !== 'EXPIRED_IN_MATCH') return {};
  if (reason === undefined || String(reason) === '0') return status === 'EXPIRED' ? {} : { expiry: 'self_trade' };
  return { expiry: EXPIRIES[String(reason)] ?? 'other' };
}

/** A row of `positionRisk`. */
export function positionOf(row: Row, market: Market): OpenPosition {
  return {
    pair: market.pair,
    quantity: exactUnits(String(row.positionAmt), market.assetDecimals),
    entryPrice: toUnits(Number(row.entryPrice)),
    mark: toUnits(Number(row.markPrice)),
    margin: unitsUp(String(row.isolatedWallet)),
  };
}

/** A row of `symbolConfig`. */
export function settingsOf(row: Row, market: Market): ContractSettings {
  return { pair: market.pair, leverage: Number(row.leverage), isolated: row.marginType === 'ISOLATED' };
}

/** Brackets of a row of `leverageBracket`. */
export function bracketsOf(row: Row): readonly Bracket[] {
  return (row.brackets as Row[]).map((bracket) => ({
    floor: Number(bracket.notionalFloor) * SCALE,
    // Caps beyond 2^53 units are only compared with, never reached.
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

/** A row of `income`; null for what trades tell, and for what is no income of a contract that we know. */
export function incomeOf(row: Row, marketById: MarketById): OwnIncome | null {
  const type = INCOMES[String(row.incomeType)];
  const market = marketById(String(row.symbol));
  if (type === undefined || market === undefined || row.asset !== market.quote) return null;
  const amount = exactUnits(String(row.income));
  return { type, id: String(row.tranId), at: Number(row.time), pair: market.pair, amount };
}

/** Orders by which Binance itself closes a position bear names of their own. */
function forcedBy(clientOrderId: string): Pick<OwnFill, 'forced'> {
  if (clientOrderId.startsWith('autoclose-')) return { forced: 'liquidation' };
  // A contract that is settled for good closes every position.
  return /^(adl|settlement)_autoclose/.test(clientOrderId) ? { forced: 'deleveraging' } : {};
}

/** What the wallet holds of an asset, whatever positions and orders keep of it. */
export function walletOf(asset: unknown, amount: unknown): Balance {
  return { asset: String(asset), free: String(amount), locked: '0' };
}

/** @param side of the position; BOTH in one-way mode, where orders say themselves that they only reduce */
function onlyReduces(positionSide: unknown, side: unknown, reduceOnly: unknown, closePosition: unknown): boolean {
  if (positionSide === 'LONG') return side === 'SELL';
  if (positionSide === 'SHORT') return side === 'BUY';
  return String(reduceOnly) === 'true' || String(closePosition) === 'true';
}

function typeOf(type: unknown, timeInForce: unknown): LiveOrder['type'] | null {
  if (type === 'MARKET') return 'market';
  if (type !== 'LIMIT') return null;
  return timeInForce === 'GTX' ? 'limit_maker' : timeInForce === 'IOC' ? 'limit_ioc' : null;
}
