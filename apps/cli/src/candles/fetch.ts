import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { ArrowFault } from '@heron/exchanges/candles/arrowFault.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import { openRateBudget, type RateBudget } from '@heron/exchanges/rateBudget.ts';
import { CANDLE_VENUES, type CandleVenue } from '@heron/exchanges/store/candleVenues.ts';
import { type Fetched, FetchFailed, fetchSeries } from '@heron/exchanges/store/fetchSeries.ts';
import { patiently } from '@heron/exchanges/store/patiently.ts';
import { pauseFor } from '@heron/exchanges/store/pauseFor.ts';
import { type Series, seriesFile } from '@heron/exchanges/store/series.ts';
import { lockSeries } from '@heron/exchanges/store/seriesLock.ts';
import { readSeries } from '@heron/exchanges/store/storedSeries.ts';
import { Command } from 'commander';
import { readInstant } from '../flags/instant.ts';
import { listenForStop } from '../start/stopRequest.ts';
import { progressLine } from './progressLine.ts';
import { counted, dataOption, instantText, readPair, readPeriod, storeIn } from './store.ts';

interface Flags {
  exchange: string;
  period: string;
  from?: string;
  to?: string;
  url?: string;
  data: string;
  json?: true;
}

/** As shells say of a program that Ctrl-C has ended. */
const STOPPED = 130;
const GAPS_SHOWN = 10;

/** `heron candles fetch`: candles of an exchange into the store. */
export function fetchCommand(): Command {
  return new Command('fetch')
    .description('Fetch candles of an exchange and keep them, for backtests and other programs.')
    .argument('<pair...>', 'such as BTC-USDT ETH-USDT')
    .option('--exchange <name>', [...CANDLE_VENUES.keys()].join(', '), 'binance')
    .option('--period <period>', 'length of the candles', '1m')
    .option('--from <time>', 'first candle, ISO 8601 in UTC; left out: from the first stored one on')
    .option('--to <time>', 'end, ISO 8601 in UTC; left out: now')
    .option('--url <address>', "another venue that speaks the exchange's protocol, such as that of heron sandbox")
    .addOption(dataOption())
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
What is stored already is not fetched again: after Ctrl-C or a crash, run the same command once more.
Ends with 0 when all is there that the exchange has, with 1 when something could not be fetched (what came is kept), with
130 after Ctrl-C.`,
    )
    .action(run);
}

/** What became of one series. */
interface Outcome {
  readonly series: Series;
  readonly file: string;
  readonly ms: number;
  readonly fetched: Fetched | null;
  readonly error: string | null;
}

async function run(texts: string[], flags: Flags): Promise<void> {
  const pairs = [...new Set(texts.map(readPair))];
  const venue = CANDLE_VENUES.get(flags.exchange);
  if (venue === undefined) {
    throw new Error(`--exchange ${flags.exchange} must be one of ${[...CANDLE_VENUES.keys()].join(', ')}`);
  }
  const period = readPeriod(flags.period);
  const redirect = flags.url === undefined ? null : originOf(flags.url);
  const from = flags.from === undefined ? null : readInstant(flags.from, '--from');
  const to = flags.to === undefined ? Number.MAX_SAFE_INTEGER : readInstant(flags.to, '--to');
  if (from !== null && from >= to) throw new Error('--from must lie before --to');

  const stop = new AbortController();
  void listenForStop().requested.then(() => stop.abort());
  let heard: (status: number, headers: Headers) => void = () => {};
  const exchange = await venue.open({
    redirect: redirect === null ? null : { rest: redirect, ws: `${redirect.replace(/^http/, 'ws')}/ws` },
    now: Date.now,
    heard: (status, headers) => heard(status, headers),
  });
  const budget = openRateBudget(flags.exchange, venue.limits, {
    now: Date.now,
    wait: (ms) => pauseFor(ms, stop.signal),
  });
  heard = budget.learn;
  try {
    await checkPairs(exchange, pairs, period, stop.signal);
    const outcomes: Outcome[] = [];
    for (const pair of pairs) {
      if (stop.signal.aborted) break;
      const series = { exchange: flags.exchange, pair, period };
      const file = seriesFile(storeIn(flags.data), series);
      const outcome = await fetchOne(series, file, { venue, exchange, budget, redirect, from, to, stop: stop.signal });
      outcomes.push(outcome);
      if (!flags.json) console.log(outcomeText(outcome));
    }
    if (flags.json) console.log(JSON.stringify({ series: outcomes.map(outcomeJson) }));
    if (outcomes.some(({ error }) => error !== null)) process.exitCode = 1;
    else if (stop.signal.aborted) process.exitCode = STOPPED;
  } finally {
    await exchange.close();
  }
}

/** Said before anything is fetched: a pair or period that the exchange does not have. */
async function checkPairs(
  exchange: PublicExchange,
  pairs: readonly string[],
  period: Period,
  stop: AbortSignal,
): Promise<void> {
  if (!exchange.periods.has(period)) {
    const made = [...exchange.periods].toSorted((a, b) => PERIODS[a] - PERIODS[b]).join(', ');
    throw new Error(`${exchange.name} makes no candles of ${period}; it makes ${made}`);
  }
  const line = progressLine(exchange.name);
  const markets = await patiently(() => exchange.markets(), {
    stop,
    now: Date.now,
    waiting: (why, ms) => line.say(waitingText(why, ms)),
  });
  if (markets === null) return;
  const known = new Set(markets.map(({ pair }) => pair));
  const unknown = pairs.filter((pair) => !known.has(pair));
  if (unknown.length > 0) throw new Error(`${exchange.name} does not trade ${unknown.join(', ')}`);
}

interface Errand {
  readonly venue: CandleVenue;
  readonly exchange: PublicExchange;
  readonly budget: RateBudget;
  readonly redirect: string | null;
  readonly from: number | null;
  readonly to: number;
  readonly stop: AbortSignal;
}

async function fetchOne(series: Series, file: string, errand: Errand): Promise<Outcome> {
  const { venue, exchange, budget, redirect, stop } = errand;
  const began = performance.now();
  const line = progressLine(`${series.pair} ${series.period}`);
  const result = (fetched: Fetched | null, error: string | null): Outcome => {
    line.end();
    return { series, file, ms: Math.round(performance.now() - began), fetched, error };
  };
  let release: (() => Promise<void>) | null = null;
  try {
    release = await lockSeries(file);
    const from = errand.from ?? (await readSeries(file))?.candles.time[0];
    if (from === undefined) throw new Error(`say with --from from when on; nothing of ${series.pair} is stored yet`);
    const fetched = await fetchSeries(
      series,
      { from, to: errand.to },
      {
        exchange,
        file,
        redirect,
        page: venue.page,
        stop,
        now: Date.now,
        clock: () => performance.now(),
        turn: () => budget.take(venue.weight, 'bulk'),
        progress: (done, all) => line.update(done, all),
        waiting: (why, ms) => line.say(waitingText(why, ms)),
      },
    );
    return result(fetched, null);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof FetchFailed) {
      return result(
        null,
        `${error.message}; ${counted(error.kept, 'candle')} that came are kept, run it again to go on`,
      );
    }
    if (error instanceof ArrowFault) {
      return result(null, `${file} ${error.message}; move it away, then fetch again with --from`);
    }
    return result(
      null,
      (error as NodeJS.ErrnoException).code ? `cannot write ${file}: ${error.message}` : error.message,
    );
  } finally {
    await release?.();
  }
}

function waitingText(why: Error, ms: number): string {
  return `${why.message}; again in ${Math.ceil(ms / 1_000)} s`;
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error(`--url ${text} is no address such as http://…`);
  return url.origin;
}

function outcomeText({ series, file, ms, fetched, error }: Outcome): string {
  const name = `${series.pair} ${series.period}`;
  if (fetched === null) return `${name}: ${error}`;
  const { stored, added, changed, refused, complete, wanted } = fetched;
  const { candles } = stored;
  if (candles.length === 0) return `${name}: ${series.exchange} has no candles in that time`;
  const ends = { first: candles.time[0] as number, last: candles.time[candles.length - 1] as number };
  const lines = [
    `${name}: ${counted(added, 'candle')} fetched in ${(ms / 1_000).toFixed(1)} s; ${candles.length.toLocaleString('en')} stored, ${instantText(ends.first)} to ${instantText(ends.last)} UTC, in ${file}`,
  ];
  if (changed > 0) lines.push(`  ${counted(changed, 'candle')} that the exchange now tells otherwise replaced`);
  if (refused > 0) lines.push(`  ${counted(refused, 'row')} of the exchange that are no candles left out`);
  if (ends.first > wanted.from && complete) lines.push(`  nothing before ${instantText(ends.first)}: there it begins`);
  lines.push(...gapLines(fetched, series));
  if (!complete) lines.push('  stopped; run the same command to go on');
  return lines.join('\n');
}

function gapLines({ gaps, stored }: Fetched, { exchange, period }: Series): string[] {
  const first = stored.candles.time[0] as number;
  const inside = insideOf(gaps, first);
  const lines: string[] = [];
  for (const venue of [true, false]) {
    const some = inside.filter((gap) => gap.venue === venue);
    if (some.length === 0) continue;
    const missing = some.reduce((sum, { from, to }) => sum + (to - from) / PERIODS[period], 0);
    const why = venue ? `${exchange} was asked and has none` : 'not asked for yet';
    lines.push(`  ${counted(some.length, 'gap')}, ${counted(missing, 'candle')} missing; ${why}:`);
    for (const { from, to } of some.slice(0, GAPS_SHOWN)) {
      lines.push(`    ${instantText(from)} to ${instantText(to)}, ${counted((to - from) / PERIODS[period], 'candle')}`);
    }
    if (some.length > GAPS_SHOWN) lines.push(`    and ${some.length - GAPS_SHOWN} more`);
  }
  return lines;
}

/** Without the time before the first candle. */
function insideOf(gaps: Fetched['gaps'], first: number | null): Fetched['gaps'] {
  return gaps.filter(({ from }) => first === null || from > first);
}

function outcomeJson({ series, file, ms, fetched, error }: Outcome) {
  if (fetched === null) return { ...series, file, ms, complete: false, error };
  const { stored, added, changed, refused, pages, gaps, complete, wanted } = fetched;
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
