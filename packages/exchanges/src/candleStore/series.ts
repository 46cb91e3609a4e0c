import path from 'node:path';
import { isPeriod, type Period } from '@heron/engine/market/period.ts';

/** What the candles of one file of the store are of. */
export interface Series {
  /** Id of the venue whose candles they are. */
  readonly exchange: string;
  readonly pair: string;
  readonly period: Period;
}

/** Folder of the store inside Heron's data folder. */
export const STORE_FOLDER = 'candles';

/** Where the candles of a series lie. @param store folder of the store */
export function seriesFile(store: string, { exchange, pair, period }: Series): string {
  return path.join(store, exchange, `${pair}-${period}.arrow`);
}

/** The series that a file of the store holds, by its name; null when it is no such file. @param file relative to the store */
export function seriesOfFile(file: string): Series | null {
  const match = /^([a-z0-9-]+)[\\/]([A-Z0-9]{1,20}-[A-Z0-9]{2,12})-(\d+[mhdw])\.arrow$/.exec(file);
  const [, exchange = '', pair = '', period = ''] = match ?? [];
  return isPeriod(period) ? { exchange, pair, period } : null;
}
