import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Series, seriesOfFile } from './series.ts';

/** A file of the store. */
export interface ListedSeries {
  readonly series: Series;
  readonly file: string;
}

/** Returns the files of the store, by exchange, pair and period. @param store folder, which may be missing */
export async function listSeries(store: string): Promise<ListedSeries[]> {
  const listed: ListedSeries[] = [];
  for (const exchange of await namesIn(store)) {
    for (const name of await namesIn(path.join(store, exchange))) {
      const series = seriesOfFile(path.join(exchange, name));
      if (series !== null) listed.push({ series, file: path.join(store, exchange, name) });
    }
  }
  return listed;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
