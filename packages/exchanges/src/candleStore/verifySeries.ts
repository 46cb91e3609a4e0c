import { ArrowFault } from '../candles/arrowFault.ts';
import type { Series } from './series.ts';
import { type FoundSeries, readSeries, writeSeries } from './storedSeries.ts';
import { gridBefore, timeGrid } from './timeGrid.ts';

/** A fault of a file of the store. */
export interface SeriesFault {
  /**
   * `unreadable`: no complete Arrow file. `changed`: the checksum differs. `row`: a row that is no candle.
   * `off_grid`: a candle at a time that its period does not have. `misnamed`: the file holds another series.
   */
  readonly kind: 'unreadable' | 'changed' | 'row' | 'off_grid' | 'misnamed';
  readonly message: string;
}

export interface Verified {
  readonly faults: readonly SeriesFault[];
  /** The candles; null for an unreadable or missing file. */
  readonly found: FoundSeries | null;
}

/** Checks a file of the store: the rules of a candle, the grid of its period, and its checksum. */
export async function verifySeries(file: string, series: Series): Promise<Verified> {
  let found: FoundSeries | null;
  try {
    found = await readSeries(file);
  } catch (error) {
    if (!(error instanceof ArrowFault)) throw error;
    return { faults: [{ kind: 'unreadable', message: error.message }], found: null };
  }
  if (found === null) return { faults: [], found };
  const faults: SeriesFault[] = found.bad.map(({ line, reason }) => ({
    kind: 'row',
    message: `row ${line}: ${reason}`,
  }));
  for (const time of offGrid(found, series)) {
    const at = Number.isFinite(new Date(time).getTime()) ? new Date(time).toISOString() : String(time);
    faults.push({ kind: 'off_grid', message: `a candle opens at ${at}, which none of ${series.period} does` });
  }
  const { series: said } = found;
  if (
    said !== null &&
    (said.exchange !== series.exchange || said.pair !== series.pair || said.period !== series.period)
  ) {
    faults.push({
      kind: 'misnamed',
      message: `holds ${said.pair} ${said.period} of ${said.exchange}, not what its name says`,
    });
  }
  if (found.unchanged === false) {
    faults.push({ kind: 'changed', message: 'its numbers are not those that were written' });
  }
  return { faults, found };
}

/**
 * Whether a file can be repaired by removing its faulty rows. A file with a wrong checksum cannot, because other rows may be
 * wrong too.
 */
export function isRepairable({ faults }: Verified): boolean {
  return faults.length > 0 && faults.every(({ kind }) => kind === 'row' || kind === 'off_grid');
}

/**
 * Rewrites a file without its faulty rows and without its fetched spans, so that the next fetch reads all missing candles.
 *
 * @returns number of removed rows
 */
export async function repairSeries(file: string, series: Series, found: FoundSeries): Promise<number> {
  const wrong = new Set(offGrid(found, series));
  const { candles } = found;
  const kept = candles.time.map((_, i) => i).filter((i) => !wrong.has(candles.time[i] as number));
  const column = (values: Float64Array) => Float64Array.from(kept, (i) => values[i] as number);
  const left = {
    length: kept.length,
    time: column(candles.time),
    open: column(candles.open),
    high: column(candles.high),
    low: column(candles.low),
    close: column(candles.close),
    volume: column(candles.volume),
  };
  await writeSeries(file, series, { ...found, candles: left, fetched: [] });
  return found.bad.length + wrong.size;
}

function offGrid({ candles }: FoundSeries, { period }: Series): number[] {
  const grid = timeGrid(period, candles.time[0] ?? null);
  return [...candles.time.filter((time) => gridBefore(grid, time) !== time)];
}
