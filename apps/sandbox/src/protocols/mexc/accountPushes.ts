import type { AccountEvent, SpotOrder, SpotRecord } from '../../accounts/spot/spotOrders.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { notionalDecimals } from '../../market/pairs.ts';
import { ACCOUNT, DEALS, ORDERS } from './channels.ts';
import { plain, units } from './format.ts';
import {
  clientIdText,
  type OrderStatusName,
  type OrderTypeName,
  orderIdText,
  orderStatusName,
  orderTypeName,
  tradeIdText,
} from './orderNames.ts';
import { orderedValue, shownTick } from './orderRows.ts';
import type { Push } from './protobuf.ts';
import { nameDigest } from './symbolId.ts';

const TYPE_NUMBERS: { [name in OrderTypeName]: number } = {
  LIMIT: 1,
  LIMIT_MAKER: 2,
  IMMEDIATE_OR_CANCEL: 3,
  FILL_OR_KILL: 4,
  MARKET: 5,
};

const STATUS_NUMBERS: { [name in OrderStatusName]: number } = {
  NEW: 1,
  FILLED: 2,
  PARTIALLY_FILLED: 3,
  CANCELED: 4,
  PARTIALLY_CANCELED: 5,
};

/** The reason of a balance change, as MEXC writes it. */
const CHANGES: { readonly [kind in SpotRecord['kind']]: string } = {
  deposit: 'DEPOSIT',
  order: 'ENTRUST_PLACE',
  trigger: 'ENTRUST_PLACE',
  fill: 'ENTRUST',
  prevent: 'ENTRUST_UNFROZEN',
  amend: 'ENTRUST_UNFROZEN',
  end: 'ENTRUST_CANCEL',
};

/** Returns the push of an order after an event. @returns undefined for an event without an order */
export function orderPush(market: PairMarket, { order, trade }: AccountEvent, sendTime: number): Push | undefined {
  if (!order) return undefined;
  const { pair, index } = market;
  const money = (turnover: bigint) => plain(turnover, notionalDecimals(pair));
  const quantity = (steps: number) => plain(steps, pair.quantityDecimals);
  return {
    channel: ORDERS,
    symbol: pair.symbol,
    sendTime,
    privateOrders: {
      id: orderIdText(order, index),
      clientId: clientIdText(order) ?? '',
      price: plain(shownTick(order), pair.priceDecimals),
      quantity: quantity(order.steps),
      amount: order.type === 'MARKET' && order.quoteOrdered === 0n ? '0' : orderedValue(pair, order),
      avgPrice: averagePrice(market, order),
      orderType: TYPE_NUMBERS[orderTypeName(order)],
      tradeType: order.side === 'buy' ? 1 : 2,
      isMaker: trade?.maker ?? false,
      remainAmount: money(BigInt(order.tick) * BigInt(order.steps - order.filled)),
      remainQuantity: quantity(order.steps - order.filled),
      lastDealQuantity: quantity(trade?.steps ?? 0),
      cumulativeQuantity: quantity(order.filled),
      cumulativeAmount: money(order.turnover),
      status: STATUS_NUMBERS[orderStatusName(order)],
      createTime: order.time,
    },
  };
}

function averagePrice({ pair }: PairMarket, order: SpotOrder): string {
  if (order.filled === 0) return '0';
  return units((order.turnover * 10n ** BigInt(8 - pair.priceDecimals)) / BigInt(order.filled));
}

/** Returns the push of a fill. @returns undefined for another event */
export function dealPush(
  { pair, index }: PairMarket,
  { order, trade, record }: AccountEvent,
  sendTime: number,
): Push | undefined {
  if (!order || !trade || record.kind !== 'fill') return undefined;
  return {
    channel: DEALS,
    symbol: pair.symbol,
    sendTime,
    privateDeals: {
      price: plain(trade.tick, pair.priceDecimals),
      quantity: plain(trade.steps, pair.quantityDecimals),
      amount: plain(BigInt(trade.tick) * BigInt(trade.steps), notionalDecimals(pair)),
      tradeType: trade.side === 'buy' ? 1 : 2,
      isMaker: trade.maker,
      isSelfTrade: false,
      tradeId: tradeIdText(trade, index),
      clientOrderId: clientIdText(order) ?? '',
      orderId: orderIdText(order, index),
      feeAmount: units(trade.commission),
      feeCurrency: trade.commissionAsset,
      time: trade.time,
    },
  };
}

/**
 * Returns the pushes of the balances that an event changed.
 *
 * @param sentBalances balances as they were last sent; they are updated here
 */
export function accountPushes(
  sentBalances: Map<string, { free: bigint; locked: bigint }>,
  event: AccountEvent,
  sendTime: number,
): Push[] {
  return event.balances.flatMap(({ asset, free, locked }) => {
    const before = sentBalances.get(asset) ?? { free: 0n, locked: 0n };
    if (before.free === free && before.locked === locked) return [];
    sentBalances.set(asset, { free, locked });
    return [
      {
        channel: ACCOUNT,
        createTime: event.time,
        sendTime,
        privateAccount: {
          vcoinName: asset,
          coinId: nameDigest(asset),
          balanceAmount: units(free),
          balanceAmountChange: units(free - before.free),
          frozenAmount: units(locked),
          frozenAmountChange: units(locked - before.locked),
          type: CHANGES[event.record.kind],
          time: event.time,
        },
      },
    ];
  });
}
