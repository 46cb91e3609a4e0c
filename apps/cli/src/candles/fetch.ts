import { setTimeout as delay } from 'node:timers/promises';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { CANDLE_VENUES, type CandleVenue } from '@heron/exchanges/candleStore/candleVenues.ts';
import { FetchFailed, type FetchResult, fetchSeries } from '@heron/exchanges/candleStore/fetchSeries.ts';
import { retryWithBackoff } from '@heron/exchanges/candleStore/retryWithBackoff.ts';
import { type Series, seriesFile } from '@heron/exchanges/candleStore/series.ts';
import { lockSeries } from '@heron/exchanges/candleStore/seriesLock.ts';
import { readSeries } from '@heron/exchanges/candleStore/storedSeries.ts';
import { ArrowFault } from '@heron/exchanges/candles/arrowFault.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import type { RateBudget } from '@heron/exchanges/http/rateBudget.ts';
import { type BudgetedExchange, isBudgeted, venueBudget } from '@heron/exchanges/http/venueBudget.ts';
import { type ExternalVenue, isExternalVenue } from '@heron/exchanges/net/hosts.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import { Command } from 'commander';
import { readInstant } from '../flags/instant.ts';
import { type CommandNet, openCommandNet } from '../installation/openCommandNet.ts';
import { listenForStop } from '../start/stopRequest.ts';
import { type FetchOutcome, outcomeJson, outcomeText } from './fetchOutcome.ts';
import { progressLine } from './progressLine.ts';
import { counted, dataOption, readPair, readPeriod, storeIn } from './store.ts';

interface Flags {
  exchange: string;
  period: string;
  from?: string;
  to?: string;
  url?: string;
  data: string;
  json?: true;
}

/** Exit code of shells for a program that Ctrl-C has stopped. */
const STOPPED = 130;

/** `heron candles fetch`: candles of an exchange into the store. */
export function fetchCommand(): Command {
  return new Command('fetch')
    .description('Download candles from an exchange and store them for backtests and other programs.')
    .argument('<pair...>', 'such as BTC-USDT ETH-USDT')
    .option('--exchange <name>', [...CANDLE_VENUES.keys()].join(', '), 'binance')
    .option('--period <period>', 'length of the candles', '1m')
    .option('--from <time>', 'first candle, ISO 8601 in UTC (default: the first stored candle)')
    .option('--to <time>', 'end, ISO 8601 in UTC (default: now)')
    .option('--url <address>', "address of another server with the exchange's protocol, such as heron sandbox")
    .addOption(dataOption())
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Proxies that are set in the app are used when Heron runs on the data folder (or HERON_DATABASE_URL is set), otherwise those
of HTTPS_PROXY, ALL_PROXY and NO_PROXY. During a ban of this IP address it waits and sends nothing.
Stored candles are not fetched again: after Ctrl-C or a crash, run the same command again.
Exit code: 0 all candles of the exchange are stored, 1 some could not be fetched (the others are stored), 130 after Ctrl-C.`,
    )
    .action(run);
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
  if (from !== null && from >= to) throw new Error('--from must be before --to');

  const stop = new AbortController();
  void listenForStop().requested.then(() => stop.abort());
  let onResponse: (status: number, headers: Headers) => void = () => {};
  const access = await openAccess(flags, redirect);
  const { net, shared } = access;
  const exchange = await venue.open({
    net,
    now: Date.now,
    onResponse: (status, headers) => onResponse(status, headers),
  });
  const budget = venueBudget(budgeted(flags.exchange), Date.now, {
    ...(shared !== undefined && { shared }),
    wait: (ms) => delay(ms, undefined, { signal: stop.signal }),
  });
  onResponse = budget.onResponse;
  try {
    await checkPairs(exchange, pairs, period, stop.signal);
    const outcomes: FetchOutcome[] = [];
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
    await access.close();
  }
}

/** @param redirect origin of the sandbox that replaces the exchange, or null */
async function openAccess({ exchange, data }: Flags, redirect: string | null): Promise<CommandNet> {
  if (redirect === null) {
    return openCommandNet({ exchange, venue: externalVenue(exchange), data }, (line) => console.error(line));
  }
  const addresses = { rest: redirect, ws: `${redirect.replace(/^http/, 'ws')}/ws` };
  const net = openGivenNet(exchange, addresses, { now: Date.now });
  return { net, close: () => net.close() };
}

function externalVenue(exchange: string): ExternalVenue {
  if (!isExternalVenue(exchange)) throw new Error(`the hosts of ${exchange} are not known`);
  return exchange;
}

function budgeted(exchange: string): BudgetedExchange {
  if (!isBudgeted(exchange)) throw new Error(`the limits of ${exchange} are not known`);
  return exchange;
}

/** Checks pairs and periods before anything is fetched. */
async function checkPairs(
  exchange: PublicExchange,
  pairs: readonly string[],
  period: Period,
  stop: AbortSignal,
): Promise<void> {
  if (!exchange.periods.has(period)) {
    const made = [...exchange.periods].toSorted((a, b) => PERIODS[a] - PERIODS[b]).join(', ');
    throw new Error(`${exchange.name} has no candles of ${period}; it has ${made}`);
  }
  const line = progressLine(exchange.name);
  const markets = await retryWithBackoff(() => exchange.markets(), {
    signal: stop,
    now: Date.now,
    onWait: (why, ms) => line.print(waitingText(why, ms)),
  });
  if (markets === null) return;
  const known = new Set(markets.map(({ pair }) => pair));
  const unknown = pairs.filter((pair) => !known.has(pair));
  if (unknown.length > 0) throw new Error(`${exchange.name} does not trade ${unknown.join(', ')}`);
}

interface FetchJob {
  readonly venue: CandleVenue;
  readonly exchange: PublicExchange;
  readonly budget: RateBudget;
  readonly redirect: string | null;
  readonly from: number | null;
  readonly to: number;
  readonly stop: AbortSignal;
}

async function fetchOne(series: Series, file: string, job: FetchJob): Promise<FetchOutcome> {
  const { venue, exchange, budget, redirect, stop } = job;
  const began = performance.now();
  const line = progressLine(`${series.pair} ${series.period}`);
  const result = (fetched: FetchResult | null, error: string | null): FetchOutcome => {
    line.end();
    return { series, file, ms: Math.round(performance.now() - began), fetched, error };
  };
  let release: (() => Promise<void>) | null = null;
  try {
    release = await lockSeries(file);
    const from = job.from ?? (await readSeries(file))?.candles.time[0];
    if (from === undefined)
      throw new Error(`nothing of ${series.pair} is stored yet: set the first candle with --from`);
    const fetched = await fetchSeries(
      series,
      { from, to: job.to },
      {
        exchange,
        file,
        redirect,
        page: venue.page,
        signal: stop,
        now: Date.now,
        clock: () => performance.now(),
        acquire: () => acquireUnlessStopped(budget, venue.weight, stop),
        onProgress: (done, all) => line.update(done, all),
        onWait: (why, ms) => line.print(waitingText(why, ms)),
      },
    );
    return result(fetched, null);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof FetchFailed) {
      return result(
        null,
        `${error.message}; ${counted(error.savedCandles, 'candle')} stored: run the command again to continue`,
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

/** Resolves when a page may be fetched, or when the command is stopped. */
async function acquireUnlessStopped(budget: RateBudget, weight: number, stop: AbortSignal): Promise<void> {
  try {
    await budget.acquire(weight, 'bulk');
  } catch (error) {
    // A wait that was stopped.
    if (!stop.aborted) throw error;
  }
}

function waitingText(why: Error, ms: number): string {
  return `${why.message}; retry in ${Math.ceil(ms / 1_000)} s`;
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`--url ${text} is not an address such as http://…`);
  return url.origin;
}
