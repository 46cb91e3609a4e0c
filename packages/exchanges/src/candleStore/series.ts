import path from 'node:path';
import { isPeriod, type Period } from '@heron/engine/market/period.ts';

/** Key of the candles in one file of the store. */
export interface Series {
  /** Id of the venue. */
  readonly exchange: string;
  readonly pair: string;
  readonly period: Period;
}

/** Folder of the store inside Heron's data folder. */
export const STORE_FOLDER = 'candles';

/** Returns the file of a series. @param store folder of the store */
export function seriesFile(store: string, { exchange, pair, period }: Series): string {
  return path.join(store, exchange, `${pair}-${period}.arrow`);
}

/** Returns the series of a file by its name; null for other files. @param file relative to the store */
export function seriesOfFile(file: string): Series | null {
  const match = /^([a-z0-9-]+)[\\/]([A-Z0-9]{1,20}-[A-Z0-9]{2,12})-(\d+[mhdw])\.arrow$/.exec(file);
  const [, exchange = '', pair = '', period = ''] = match ?? [];
  return isPeriod(period) ? { exchange, pair, period } : null;
}
