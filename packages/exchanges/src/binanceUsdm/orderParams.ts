import { ORDER_LIFETIME_MS, type OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { Trigger } from '@heron/engine/state/parentOrder.ts';
import type { Params } from '../http/row.ts';
import { venueSymbol } from '../venue/signedCalls.ts';

/** In hedge mode an order names the position's side; in one-way mode it has a reduce-only flag. */
function sideParams({ side, exit }: OrderRequest, hedge: boolean): Params {
  const long = (side === 'buy') !== exit;
  return {
    side: side === 'buy' ? 'BUY' : 'SELL',
    ...(hedge ? { positionSide: long ? 'LONG' : 'SHORT' } : exit ? { reduceOnly: 'true' } : {}),
  };
}

/** Returns the parameters of a new order, without its timestamp. @param hedge whether the account is in hedge mode */
export function orderParams(request: OrderRequest, market: Market, hedge: boolean): Params {
  const { type } = request;
  return {
    symbol: venueSymbol(market),
    ...sideParams(request, hedge),
    quantity: formatUnits(request.quantity, market.assetDecimals),
    newClientOrderId: request.clientOrderId,
    newOrderRespType: 'RESULT',
    recvWindow: ORDER_LIFETIME_MS,
    ...(type === 'market'
      ? { type: 'MARKET' }
      : { type: 'LIMIT', price: formatUnits(request.price), timeInForce: type === 'limit_maker' ? 'GTX' : 'IOC' }),
  };
}

/** Returns the parameters of a new stop order, without its timestamp. @param hedge whether the account is in hedge mode */
export function stopParams(request: OrderRequest, trigger: Trigger, market: Market, hedge: boolean): Params {
  return {
    algoType: 'CONDITIONAL',
    symbol: venueSymbol(market),
    ...sideParams(request, hedge),
    type: 'STOP_MARKET',
    quantity: formatUnits(request.quantity, market.assetDecimals),
    triggerPrice: formatUnits(trigger.price),
    workingType: trigger.by === 'mark' ? 'MARK_PRICE' : 'CONTRACT_PRICE',
    clientAlgoId: request.clientOrderId,
    recvWindow: ORDER_LIFETIME_MS,
  };
}
