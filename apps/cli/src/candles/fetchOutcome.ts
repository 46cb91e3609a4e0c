import { PERIODS } from '@heron/engine/market/period.ts';
import type { FetchResult } from '@heron/exchanges/candleStore/fetchSeries.ts';
import type { Series } from '@heron/exchanges/candleStore/series.ts';
import { counted, instantText } from './store.ts';

/** The result of fetching one series of candles. */
export interface FetchOutcome {
  readonly series: Series;
  readonly file: string;
  readonly ms: number;
  readonly fetched: FetchResult | null;
  readonly error: string | null;
}

/** Gaps that are listed one by one. */
const GAPS_SHOWN = 10;

/** Formats an outcome as text. */
export function outcomeText({ series, file, ms, fetched, error }: FetchOutcome): string {
  const name = `${series.pair} ${series.period}`;
  if (fetched === null) return `${name}: ${error}`;
  const { stored, added, changed, invalidRows: refused, complete, requested: wanted } = fetched;
  const { candles } = stored;
  if (candles.length === 0) return `${name}: ${series.exchange} has no candles in that time`;
  const ends = { first: candles.time[0] as number, last: candles.time[candles.length - 1] as number };
  const lines = [
    `${name}: ${counted(added, 'candle')} fetched in ${(ms / 1_000).toFixed(1)} s; ${candles.length.toLocaleString('en')} stored, ${instantText(ends.first)} to ${instantText(ends.last)} UTC, in ${file}`,
  ];
  if (changed > 0) lines.push(`  ${counted(changed, 'candle')} replaced with changed data of the exchange`);
  if (refused > 0) lines.push(`  ${counted(refused, 'invalid row')} of the exchange skipped`);
  if (ends.first > wanted.from && complete)
    lines.push(`  the exchange has no candles before ${instantText(ends.first)}`);
  lines.push(...gapLines(fetched, series));
  if (!complete) lines.push('  stopped: run the same command again to continue');
  return lines.join('\n');
}

function gapLines({ gaps, stored }: FetchResult, { exchange, period }: Series): string[] {
  const first = stored.candles.time[0] as number;
  const inside = insideOf(gaps, first);
  const lines: string[] = [];
  for (const venue of [true, false]) {
    const some = inside.filter((gap) => gap.venue === venue);
    if (some.length === 0) continue;
    const missing = some.reduce((sum, { from, to }) => sum + (to - from) / PERIODS[period], 0);
    const why = venue ? `${exchange} has none` : 'not fetched yet';
    lines.push(`  ${counted(some.length, 'gap')}, ${counted(missing, 'candle')} missing; ${why}:`);
    for (const { from, to } of some.slice(0, GAPS_SHOWN)) {
      lines.push(`    ${instantText(from)} to ${instantText(to)}, ${counted((to - from) / PERIODS[period], 'candle')}`);
    }
    if (some.length > GAPS_SHOWN) lines.push(`    and ${some.length - GAPS_SHOWN} more`);
  }
  return lines;
}

/** Without the time before the first candle. */
function insideOf(gaps: FetchResult['gaps'], first: number | null): FetchResult['gaps'] {
  return gaps.filter(({ from }) => first === null || from > first);
}

/** Describes an outcome for other programs. */
export function outcomeJson({ series, file, ms, fetched, error }: FetchOutcome) {
  if (fetched === null) return { ...series, file, ms, complete: false, error };
  const { stored, added, changed, invalidRows: refused, pages, gaps, complete, requested: wanted } = fetched;
  const { time, length } = stored.candles;
  const first = time[0] ?? null;
  return {
    ...series,
    file,
    ms,
    complete,
    wanted,
    candles: length,
    from: first,
    to: length === 0 ? null : (time[length - 1] as number) + PERIODS[series.period],
    added,
    changed,
    refused,
    answers: pages,
    // The exchange has nothing before it.
    begins: complete && first !== null && first > wanted.from ? first : null,
    gaps: insideOf(gaps, first).map(({ from, to, venue }) => ({
      from,
      to,
      candles: (to - from) / PERIODS[series.period],
      venue,
    })),
  };
}
