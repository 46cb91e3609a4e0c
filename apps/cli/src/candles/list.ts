import { PERIODS } from '@heron/engine/market/period.ts';
import { gapsOf } from '@heron/exchanges/candleStore/gaps.ts';
import { type ListedSeries, listSeries } from '@heron/exchanges/candleStore/listSeries.ts';
import { readSeries } from '@heron/exchanges/candleStore/storedSeries.ts';
import { timeGrid } from '@heron/exchanges/candleStore/timeGrid.ts';
import { ArrowFault } from '@heron/exchanges/candles/arrowFault.ts';
import { Command } from 'commander';
import { dataOption, instantText, storeIn } from './store.ts';

/** `heron candles list`: what is stored. */
export function listCommand(): Command {
  return new Command('list')
    .description('List the stored candles.')
    .addOption(dataOption())
    .option('--json', 'print one JSON document')
    .action(async ({ data, json }: { data: string; json?: true }) => {
      const rows: Row[] = [];
      for (const listed of await listSeries(storeIn(data))) rows.push(await rowOf(listed));
      if (json) console.log(JSON.stringify({ series: rows }));
      else console.log(rows.length === 0 ? `nothing is stored in ${storeIn(data)}` : tableOf(rows));
    });
}

type Row = Awaited<ReturnType<typeof rowOf>>;

/** One at a time: a file may hold hundreds of megabytes. */
async function rowOf({ series, file }: ListedSeries) {
  const none = { from: null, to: null, candles: 0, gaps: 0, missing: 0, bytes: 0, redirect: null };
  try {
    const found = await readSeries(file);
    const first = found?.candles.time[0];
    if (found === null || first === undefined) return { ...series, file, ...none, fault: 'contains no candles' };
    const { candles, bytes, redirect } = found;
    const step = PERIODS[series.period];
    const to = (candles.time[candles.length - 1] as number) + step;
    const gaps = gapsOf(candles.time, timeGrid(series.period, first), { from: first, to });
    const missing = gaps.reduce((sum, gap) => sum + (gap.to - gap.from) / step, 0);
    const counts = { candles: candles.length, gaps: gaps.length, missing };
    const fault = found.bad.length > 0 ? `has ${found.bad.length} bad rows` : null;
    return { ...series, file, from: first, to, ...counts, bytes, redirect, fault };
  } catch (error) {
    if (error instanceof ArrowFault) return { ...series, file, ...none, fault: error.message };
    throw error;
  }
}

function tableOf(rows: readonly Row[]): string {
  const head = ['exchange', 'pair', 'period', 'from (UTC)', 'to', 'candles', 'gaps', 'missing', 'size'];
  const lines = rows.map((row) => [
    row.exchange,
    row.pair,
    row.period,
    row.from === null ? '' : instantText(row.from),
    row.to === null ? '' : instantText(row.to),
    row.candles.toLocaleString('en'),
    row.gaps.toLocaleString('en'),
    row.missing.toLocaleString('en'),
    `${(row.bytes / 1e6).toFixed(1)} MB`,
    row.fault !== null
      ? `${row.fault}: npx heron candles verify`
      : row.redirect === null
        ? ''
        : `from ${row.redirect}, not from the exchange`,
  ]);
  const widths = head.map((name, at) => Math.max(name.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const NUMBERS = 5;
  const padded = (line: readonly string[]) =>
    line
      .map((text, at) => (at >= NUMBERS ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [head, ...lines].map(padded).join('\n');
}
