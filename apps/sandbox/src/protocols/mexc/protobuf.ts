import protobuf from 'protobufjs/light.js';

/** Fields of a message: name, number, type; `[]` after the type for a list. */
type Fields = readonly (readonly [name: string, number: number, type: string])[];

const PRICE_LEVEL: Fields = [
  ['price', 1, 'string'],
  ['quantity', 2, 'string'],
];

/** The messages that MEXC pushes, by the names that decoders show. */
const MESSAGES: { readonly [name: string]: Fields } = {
  Level: PRICE_LEVEL,
  AggreDeal: [
    ['price', 1, 'string'],
    ['quantity', 2, 'string'],
    ['tradeType', 3, 'int32'],
    ['time', 4, 'int64'],
  ],
  AggreDeals: [
    ['deals', 1, 'AggreDeal[]'],
    ['eventType', 2, 'string'],
  ],
  AggreDepths: [
    ['asks', 1, 'Level[]'],
    ['bids', 2, 'Level[]'],
    ['eventType', 3, 'string'],
    ['fromVersion', 4, 'string'],
    ['toVersion', 5, 'string'],
  ],
  LimitDepths: [
    ['asks', 1, 'Level[]'],
    ['bids', 2, 'Level[]'],
    ['eventType', 3, 'string'],
    ['version', 4, 'string'],
  ],
  BookTicker: [
    ['bidPrice', 1, 'string'],
    ['bidQuantity', 2, 'string'],
    ['askPrice', 3, 'string'],
    ['askQuantity', 4, 'string'],
  ],
  BookTickers: [['items', 1, 'BookTicker[]']],
  SpotKline: [
    ['interval', 1, 'string'],
    ['windowStart', 2, 'int64'],
    ['openingPrice', 3, 'string'],
    ['closingPrice', 4, 'string'],
    ['highestPrice', 5, 'string'],
    ['lowestPrice', 6, 'string'],
    ['volume', 7, 'string'],
    ['amount', 8, 'string'],
    ['windowEnd', 9, 'int64'],
  ],
  MiniTicker: [
    ['symbol', 1, 'string'],
    ['price', 2, 'string'],
    ['rate', 3, 'string'],
    ['zonedRate', 4, 'string'],
    ['high', 5, 'string'],
    ['low', 6, 'string'],
    ['volume', 7, 'string'],
    ['quantity', 8, 'string'],
    ['lastCloseRate', 9, 'string'],
    ['lastCloseZonedRate', 10, 'string'],
    ['lastCloseHigh', 11, 'string'],
    ['lastCloseLow', 12, 'string'],
  ],
  MiniTickers: [['items', 1, 'MiniTicker[]']],
  PrivateOrders: [
    ['id', 1, 'string'],
    ['clientId', 2, 'string'],
    ['price', 3, 'string'],
    ['quantity', 4, 'string'],
    ['amount', 5, 'string'],
    ['avgPrice', 6, 'string'],
    ['orderType', 7, 'int32'],
    ['tradeType', 8, 'int32'],
    ['isMaker', 9, 'bool'],
    ['remainAmount', 10, 'string'],
    ['remainQuantity', 11, 'string'],
    ['lastDealQuantity', 12, 'string'],
    ['cumulativeQuantity', 13, 'string'],
    ['cumulativeAmount', 14, 'string'],
    ['status', 15, 'int32'],
    ['createTime', 16, 'int64'],
  ],
  PrivateDeals: [
    ['price', 1, 'string'],
    ['quantity', 2, 'string'],
    ['amount', 3, 'string'],
    ['tradeType', 4, 'int32'],
    ['isMaker', 5, 'bool'],
    ['isSelfTrade', 6, 'bool'],
    ['tradeId', 7, 'string'],
    ['clientOrderId', 8, 'string'],
    ['orderId', 9, 'string'],
    ['feeAmount', 10, 'string'],
    ['feeCurrency', 11, 'string'],
    ['time', 12, 'int64'],
  ],
  PrivateAccount: [
    ['vcoinName', 1, 'string'],
    ['coinId', 2, 'string'],
    ['balanceAmount', 3, 'string'],
    ['balanceAmountChange', 4, 'string'],
    ['frozenAmount', 5, 'string'],
    ['frozenAmountChange', 6, 'string'],
    ['type', 7, 'string'],
    ['time', 8, 'int64'],
  ],
  Push: [
    ['channel', 1, 'string'],
    ['symbol', 3, 'string'],
    ['symbolId', 4, 'string'],
    ['createTime', 5, 'int64'],
    ['sendTime', 6, 'int64'],
    ['publicLimitDepths', 303, 'LimitDepths'],
    ['privateOrders', 304, 'PrivateOrders'],
    ['privateDeals', 306, 'PrivateDeals'],
    ['privateAccount', 307, 'PrivateAccount'],
    ['publicSpotKline', 308, 'SpotKline'],
    ['publicMiniTicker', 309, 'MiniTicker'],
    ['publicMiniTickers', 310, 'MiniTickers'],
    ['publicBookTickerBatch', 311, 'BookTickers'],
    ['publicAggreDepths', 313, 'AggreDepths'],
    ['publicAggreDeals', 314, 'AggreDeals'],
    ['publicAggreBookTicker', 315, 'BookTicker'],
  ],
};

/** A push in protobuf: its channel, its times, and one body of MESSAGES. */
export type Push = {
  channel: string;
  symbol?: string;
  /** Epoch milliseconds. */
  sendTime?: number;
  createTime?: number;
  symbolId?: string;
} & { readonly [body in `public${string}` | `private${string}`]?: object };

const wrapper = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries(MESSAGES).map(([message, fields]) => [
      message,
      {
        fields: Object.fromEntries(
          fields.map(([name, id, type]) => [
            name,
            type.endsWith('[]') ? { rule: 'repeated', type: type.slice(0, -2), id } : { type, id },
          ]),
        ),
      },
    ]),
  ),
}).lookupType('Push');

/** Encodes a push as MEXC's clients read it (PushDataV3ApiWrapper). */
export function encodePush(push: Push): Uint8Array {
  return wrapper.encode(push).finish();
}
