import { existsSync } from 'node:fs';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { seriesFile } from '@heron/exchanges/candleStore/series.ts';
import { Option } from 'commander';
import { readExchange, readPeriod, storeIn } from './store.ts';

/** Flags that select stored candles. */
export interface StoreFlags {
  readonly exchange?: string;
  readonly data: string;
}

/** Option of commands that read stored candles: the exchange of the candles. */
export function exchangeOption(): Option {
  return new Option('--exchange <name>', 'exchange of the stored candles, and of the trades');
}

/** The forms of `--candles` that name stored candles, for the help of options. */
export const STORED_CANDLES = 'BTC-USDT or BTC-USDT:1h for stored ones (heron candles fetch)';

/**
 * Finds stored candles. `BTC-USDT` selects the shortest period of the pair, which has the most detail; `BTC-USDT:1h`
 * selects hours.
 *
 * @param text as given to `--candles`
 * @returns the pair and its file; null when the text is a file or anything else
 * @throws Error saying how to fetch them when they are not stored
 */
export function storedCandles(
  text: string,
  exchange: string,
  { data }: StoreFlags,
): { readonly pair: string; readonly file: string } | null {
  const match = /^([a-z0-9]{1,20}-[a-z0-9]{2,12})(?::(\d+[mhdw]))?$/i.exec(text);
  if (match === null || existsSync(text)) return null;
  const [, name = '', length] = match;
  const pair = name.toUpperCase();
  const periods = length === undefined ? (Object.keys(PERIODS) as Period[]) : [readPeriod(length)];
  const files = periods
    .toSorted((a, b) => PERIODS[a] - PERIODS[b])
    .map((period) => seriesFile(storeIn(data), { exchange: readExchange(exchange), pair, period }));
  const file = files.find((path) => existsSync(path));
  if (file !== undefined) return { pair, file };
  const wanted = length === undefined ? '' : ` --period ${length}`;
  throw new Error(
    `no candles of ${text} are stored for ${exchange}: fetch them with npx heron candles fetch ${pair} --exchange ${exchange}${wanted} --from 2024-01-01`,
  );
}
