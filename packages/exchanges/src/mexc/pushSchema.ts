import protobuf from 'protobufjs/minimal.js';

/** A field of a message: its name and its type; a table is a message of its own. */
type Field = readonly [name: string, type: 'string' | 'int32' | 'int64' | 'bool' | Schema, repeated?: 'repeated'];

/** Fields of a message by their numbers. */
interface Schema {
  readonly [number: number]: Field;
}

const DEAL: Schema = {
  1: ['price', 'string'],
  2: ['quantity', 'string'],
  3: ['tradeType', 'int32'],
  4: ['time', 'int64'],
};

const QUOTE: Schema = {
  1: ['bidPrice', 'string'],
  2: ['bidQuantity', 'string'],
  3: ['askPrice', 'string'],
  4: ['askQuantity', 'string'],
};

const CANDLE: Schema = {
  1: ['interval', 'string'],
  2: ['windowStart', 'int64'],
  3: ['openingPrice', 'string'],
  4: ['closingPrice', 'string'],
  5: ['highestPrice', 'string'],
  6: ['lowestPrice', 'string'],
  7: ['volume', 'string'],
  8: ['amount', 'string'],
  9: ['windowEnd', 'int64'],
};

const OWN_ORDER: Schema = {
  1: ['id', 'string'],
  2: ['clientId', 'string'],
  3: ['price', 'string'],
  4: ['quantity', 'string'],
  5: ['amount', 'string'],
  6: ['avgPrice', 'string'],
  7: ['orderType', 'int32'],
  8: ['tradeType', 'int32'],
  9: ['isMaker', 'bool'],
  10: ['remainAmount', 'string'],
  11: ['remainQuantity', 'string'],
  12: ['lastDealQuantity', 'string'],
  13: ['cumulativeQuantity', 'string'],
  14: ['cumulativeAmount', 'string'],
  15: ['status', 'int32'],
  16: ['createTime', 'int64'],
};

const OWN_TRADE: Schema = {
  1: ['price', 'string'],
  2: ['quantity', 'string'],
  3: ['amount', 'string'],
  4: ['tradeType', 'int32'],
  5: ['isMaker', 'bool'],
  6: ['isSelfTrade', 'bool'],
  7: ['tradeId', 'string'],
  8: ['clientOrderId', 'string'],
  9: ['orderId', 'string'],
  10: ['feeAmount', 'string'],
  11: ['feeCurrency', 'string'],
  12: ['time', 'int64'],
};

const BALANCE: Schema = {
  1: ['vcoinName', 'string'],
  2: ['coinId', 'string'],
  3: ['balanceAmount', 'string'],
  4: ['balanceAmountChange', 'string'],
  5: ['frozenAmount', 'string'],
  6: ['frozenAmountChange', 'string'],
  7: ['type', 'string'],
  8: ['time', 'int64'],
};

/**
 * `PushDataV3ApiWrapper` of MEXC, with the messages that Heron reads; other fields are skipped.
 *
 * @see https://github.com/mexcdevelop/websocket-proto
 */
export const PUSH: Schema = {
  1: ['channel', 'string'],
  3: ['symbol', 'string'],
  4: ['symbolId', 'string'],
  5: ['createTime', 'int64'],
  6: ['sendTime', 'int64'],
  304: ['privateOrders', OWN_ORDER],
  306: ['privateDeals', OWN_TRADE],
  307: ['privateAccount', BALANCE],
  308: ['publicSpotKline', CANDLE],
  314: ['publicAggreDeals', { 1: ['deals', DEAL, 'repeated'], 2: ['eventType', 'string'] }],
  315: ['publicAggreBookTicker', QUOTE],
};

/** Decodes a push of MEXC's streams. Integers of 64 bits become texts. @throws Error for bytes that are no push */
export function decodePush(bytes: Uint8Array): Record<string, unknown> {
  return decode(protobuf.Reader.create(bytes), bytes.length, PUSH);
}

function decode(reader: protobuf.Reader, end: number, schema: Schema): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = schema[tag >>> 3];
    if (field === undefined) {
      reader.skipType(tag & 7);
      continue;
    }
    const [name, type, repeated] = field;
    const value = readField(reader, type);
    if (repeated) fields[name] = [...((fields[name] as unknown[] | undefined) ?? []), value];
    else fields[name] = value;
  }
  return fields;
}

function readField(reader: protobuf.Reader, type: Field[1]): unknown {
  if (typeof type !== 'string') {
    const length = reader.uint32();
    return decode(reader, reader.pos + length, type);
  }
  return type === 'int64' ? String(reader.int64()) : reader[type]();
}
