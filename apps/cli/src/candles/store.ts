import path from 'node:path';
import { isPeriod, PERIODS, type Period } from '@heron/engine/market/period.ts';
import { exchangeOfVenue, VENUES } from '@heron/engine/options/venues.ts';
import { STORE_FOLDER } from '@heron/exchanges/candleStore/series.ts';
import { Option } from 'commander';
import { defaultDataFolder } from '../start/command.ts';

/** `--data`: the data folder of `heron start`, which contains the candles. */
export function dataOption(): Option {
  return new Option('--data <folder>', 'data folder of Heron, which contains the stored candles')
    .env('HERON_DATA')
    .default(defaultDataFolder(), './data');
}

/** Folder of stored candles. */
export function storeIn(data: string): string {
  return path.join(path.resolve(data), STORE_FOLDER);
}

/** @throws Error when it is no pair */
export function readPair(text: string): string {
  if (/^[a-z0-9]{1,20}-[a-z0-9]{2,12}$/i.test(text)) return text.toUpperCase();
  throw new Error(`${text} is not a pair such as BTC-USDT`);
}

/** @throws Error when it is no period */
export function readPeriod(text: string): Period {
  if (isPeriod(text)) return text;
  throw new Error(`--period ${text} must be one of ${Object.keys(PERIODS).join(', ')}`);
}

/** @throws Error when candles of this venue cannot be stored */
export function readExchange(text: string): string {
  const names = VENUES.filter(({ id, environment }) => environment !== 'demo' && !exchangeOfVenue(id)?.defi).map(
    ({ id }) => id as string,
  );
  if (names.includes(text)) return text;
  throw new Error(`--exchange ${text} must be one of ${names.join(', ')}`);
}

/** Formats a time in UTC. */
export function instantText(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

/** `1 candle`, `2,000 candles`. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}
