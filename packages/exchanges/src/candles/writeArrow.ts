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
 * @param metadata what else the file says of itself
 */
export function candleArrow(
  candles: CandleColumns,
  priceDecimals: number,
  metadata: ReadonlyMap<string, string> = new Map(),
): Uint8Array {
  const { length, time, open, high, low, close, volume } = candles;
  const numbers = { open, high, low, close, volume };
  const children: readonly (readonly [string, Data])[] = [
    ['time', makeData({ type: new TimestampMillisecond('UTC'), length, data: wholeNumbers(time) })],
    ...Object.entries(numbers).map(([name, data]) => [name, makeData({ type: new Float64(), length, data })] as const),
  ];
  const fields = children.map(([name, { type }]) => new Field(name, type, false));
  const schema = new Schema(fields, new Map([[PRICE_DECIMALS, String(priceDecimals)], ...metadata]));
  const columns = children.map(([, data]) => data);
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(fields), length, nullCount: 0, children: columns }),
  );
  return tableToIPC(new Table(schema, [batch]), 'file');
}

/** Numbers from 0 as 64 bits each, by halves: bigints take ten times as long. */
function wholeNumbers(values: Float64Array): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  const halves = new Int32Array(wide.buffer);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    halves[2 * i] = value % 2 ** 32;
    halves[2 * i + 1] = value / 2 ** 32;
  }
  return wide;
}
