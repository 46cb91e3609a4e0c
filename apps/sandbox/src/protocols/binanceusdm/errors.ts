import { FuturesRejected, type FuturesRejection } from '../../venues/futures/futuresRejected.ts';
import { BinanceError } from '../binance/errors.ts';

/** Errors of Binance's futures that spot does not have, or words differently. */
export const usdmError = {
  weight: (limit: number, retryAfter: number) =>
    new BinanceError(
      -1003,
      `Too many requests; current limit of IP(127.0.0.1) is ${limit} requests per minute. Please use the websocket for live updates to avoid polling the API.`,
      429,
      { retryAfter },
    ),
  banned: (until: number, retryAfter: number) =>
    new BinanceError(
      -1003,
      `Way too many requests; IP(127.0.0.1) banned until ${until}. Please use the websocket for live updates to avoid bans.`,
      418,
      { retryAfter },
    ),
  orders: (limit: number, span: string, retryAfter: number) =>
    new BinanceError(-1015, `Too many new orders; current limit is ${limit} orders per ${span}.`, 429, { retryAfter }),
  precision: () => new BinanceError(-1111, 'Precision is over the maximum defined for this asset.'),
  listenKey: () => new BinanceError(-1125, 'This listenKey does not exist.'),
  responseType: () => new BinanceError(-1136, 'Invalid newOrderRespType'),
  callbackRate: () => new BinanceError(-2007, 'Invalid callBack rate'),
  tooManyOpenOrders: () => new BinanceError(-2025, 'Reach max open order limit.'),
  depthLimit: (limit: number) => new BinanceError(-4021, `'${limit}' is not valid depth limit`),
  noPrice: () => new BinanceError(-4001, 'Price less than 0.'),
  highPrice: () => new BinanceError(-4002, 'Price greater than max price.'),
  noQuantity: () => new BinanceError(-4003, 'Quantity less than or equal to zero.'),
  smallQuantity: () => new BinanceError(-4004, 'Quantity less than min quantity.'),
  largeQuantity: () => new BinanceError(-4005, 'Quantity greater than max quantity.'),
  noTriggerPrice: () => new BinanceError(-4006, 'Stop price less than zero.'),
  lowPrice: () => new BinanceError(-4013, 'Price less than min price.'),
  tickSize: () => new BinanceError(-4014, 'Price not increased by tick size.'),
  aboveBand: (price: string) => new BinanceError(-4016, `Limit price can't be higher than ${price}.`),
  stepSize: () => new BinanceError(-4023, 'Qty not increased by step size.'),
  belowBand: (price: string) => new BinanceError(-4024, `Limit price can't be lower than ${price}.`),
  leverage: (leverage: number) => new BinanceError(-4028, `Leverage ${leverage} is not valid`),
  tooManyAlgoOrders: () => new BinanceError(-4045, 'Reach max stop order limit.'),
  amount: () => new BinanceError(-4052, 'Margin amount must be greater than zero.'),
  positionSide: () => new BinanceError(-4060, 'Invalid position side.'),
  algoEndpoint: () =>
    new BinanceError(
      -4120,
      'Order type not supported for this endpoint. Please use the Algo Order API endpoints instead.',
    ),
  activation: () => new BinanceError(-4135, 'Invalid activation price'),
  strategy: (type: string, flag: string) =>
    new BinanceError(-4136, `Target strategy invalid for orderType ${type},${flag}`),
  quantityOfClosing: () => new BinanceError(-4137, 'Quantity must be zero with closePosition equals true'),
  notional: (min: number) =>
    new BinanceError(-4164, `Order's notional must be no smaller than ${min} (unless you choose reduce only).`),
  priceMatch: () => new BinanceError(-5037, 'Invalid price match'),
  selfTrade: () => new BinanceError(-5039, 'Invalid self trade prevention mode'),
  goodTill: () =>
    new BinanceError(
      -5040,
      'The goodTillDate timestamp must be greater than the current time plus 600 seconds and smaller than 253402300799000',
    ),
};

/** The code and message of each rejection, as Binance writes them. */
const WORDS: { readonly [rejection in FuturesRejection]: readonly [code: number, message: string] } = {
  'position-side': [-4061, "Order's position side does not match user's setting."],
  'reduce-only': [-2022, 'ReduceOnly Order is rejected.'],
  'duplicate-client-id': [-4116, 'ClientOrderId is duplicated.'],
  'would-match': [
    -5022,
    'Due to the order could not be executed as maker, the Post Only order will be rejected. The order will not be recorded in the order history',
  ],
  'not-fillable': [
    -5021,
    'Due to the order could not be filled immediately, the FOK order has been rejected. The order will not be recorded in the order history',
  ],
  'no-liquidity': [-4131, "The counterparty's best price does not meet the PERCENT_PRICE filter limit."],
  'insufficient-margin': [-2019, 'Margin is insufficient.'],
  'most-position': [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  'unknown-order': [-2011, 'Unknown order sent.'],
  'not-changed': [-5027, 'No need to modify the order.'],
  'only-limit': [-5025, 'Only limit order is supported.'],
  'same-margin-type': [-4046, 'No need to change margin type.'],
  'same-position-mode': [-4059, 'No need to change position side.'],
  'open-orders': [-4067, 'Position side cannot be changed if there exists open orders.'],
  'open-position': [-4068, 'Position side cannot be changed if there exists position.'],
  'leverage-of-isolated': [-4161, 'Leverage reduction is not supported in Isolated Margin Mode with open positions.'],
  'leverage-too-high': [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  'not-isolated': [-4054, 'Cannot add position margin: position is 0.'],
  'isolated-margin': [-2028, 'Leverage is smaller than permitted: insufficient margin balance.'],
  'would-trigger': [-2021, 'Order would immediately trigger.'],
  'closing-exists': [
    -4130,
    'An open stop or take profit order with GTE and closePosition in the direction is existing.',
  ],
  'market-closed': [-4141, 'Symbol is closed.'],
  'needs-position': [
    -4509,
    'Time in Force (TIF) GTE can only be used with open positions or open orders. Please ensure that positions or open orders are available.',
  ],
};

/** Codes and messages of the same rejections for margin types. */
export const MARGIN_TYPE_WORDS: { readonly [rejection in FuturesRejection]?: readonly [number, string] } = {
  'open-orders': [-4047, 'Margin type cannot be changed if there exists open orders.'],
  'open-position': [-4048, 'Margin type cannot be changed if there exists position.'],
};

/** Translates the rejections of the exchange into Binance's errors. */
export function translate<T>(
  action: () => T,
  other: { readonly [rejection in FuturesRejection]?: readonly [number, string] } = {},
): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof FuturesRejected)) throw error;
    const [code, message] = other[error.reason] ?? WORDS[error.reason];
    throw new BinanceError(code, message);
  }
}

/** Returns the message of a conditional order that was rejected when it was triggered. */
export function rejection(reason: string): string {
  return Object.hasOwn(WORDS, reason) ? WORDS[reason as FuturesRejection][1] : '';
}
