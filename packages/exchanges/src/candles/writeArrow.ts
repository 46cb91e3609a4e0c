import type { CandleColumns } from '@heron/engine/market/candle.ts';
import {
  type Data,
  Field,
  Float64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMillisecond,
  tableToIPC,
} from 'apache-arrow';
import { PRICE_DECIMALS } from './arrow.ts';

/**
 * Candles as an Arrow IPC file with one record batch, which loads without copying; `time` is a timestamp in ms, UTC. Load
 * this module only when there is something to write: the library takes a tenth of a second.
 *
 * @param priceDecimals most decimals of any price; kept in the file
 */
export function candleArrow(candles: CandleColumns, priceDecimals: number): Uint8Array {
  const { length, time, open, high, low, close, volume } = candles;
  const numbers = { open, high, low, close, volume };
  const children: readonly (readonly [string, Data])[] = [
    ['time', makeData({ type: new TimestampMillisecond('UTC'), length, data: BigInt64Array.from(time, BigInt) })],
    ...Object.entries(numbers).map(([name, data]) => [name, makeData({ type: new Float64(), length, data })] as const),
  ];
  const fields = children.map(([name, { type }]) => new Field(name, type, false));
  const schema = new Schema(fields, new Map([[PRICE_DECIMALS, String(priceDecimals)]]));
  const columns = children.map(([, data]) => data);
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(fields), length, nullCount: 0, children: columns }),
  );
  return tableToIPC(new Table(schema, [batch]), 'file');
}
