import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openBinance } from '../../src/binance/public.ts';
import { BINANCE_ENDPOINTS } from '../../src/binance/trading.ts';
import { openBinanceUsdm } from '../../src/binanceUsdm/public.ts';
import { BINANCEUSDM_ENDPOINTS } from '../../src/binanceUsdm/trading.ts';
import type { PublicExchange, PublicFutures } from '../../src/exchange.ts';
import { openMexc } from '../../src/mexc/public.ts';
import { MEXC_ENDPOINTS } from '../../src/mexc/trading.ts';
import { openGivenNet } from '../../src/net/openNet.ts';
import { BINANCE_RECORDINGS } from '../../src/testing/recordings/binance.ts';
import { BINANCEUSDM_RECORDINGS } from '../../src/testing/recordings/binanceUsdm.ts';
import { MEXC_RECORDINGS } from '../../src/testing/recordings/mexc.ts';
import type { Recording, VenueRecordings } from '../../src/testing/recordings/recording.ts';
import type { PublicConfig } from '../../src/venue/publicExchange.ts';
import { openReplayVenue } from './replayVenue.ts';

/** Sources of the calls and messages that Heron reads from an exchange. */
interface Venue {
  readonly title: string;
  readonly recordings: VenueRecordings;
  /** Requests that its trading adapter can send. */
  readonly signed: ReadonlyMap<string, unknown>;
  open(config: PublicConfig): Promise<PublicExchange | PublicFutures>;
  /** Sources that read its streams. */
  readonly streams: RegExp;
}

/** Patterns by which sources name the messages that they read: events, and parts of a protobuf frame. */
const NAMES = [/\.e === '(\w+)'/g, /frame\.(p(?:rivate|ublic)\w+)/g];
/** Applies to files of streams only: a case has another meaning elsewhere. */
const CASES = /case '(\w+)':/g;

const VENUES: readonly Venue[] = [
  {
    ...{ title: 'Binance spot', recordings: BINANCE_RECORDINGS, signed: BINANCE_ENDPOINTS, open: openBinance },
    streams: /^binance\//,
  },
  {
    ...{ title: 'Binance USD-M', recordings: BINANCEUSDM_RECORDINGS, signed: BINANCEUSDM_ENDPOINTS },
    open: openBinanceUsdm,
    streams: /^binance\/(?!account|parseAccount)|^binanceUsdm\//,
  },
  {
    ...{ title: 'MEXC spot', recordings: MEXC_RECORDINGS, signed: MEXC_ENDPOINTS, open: openMexc },
    streams: /^mexc\//,
  },
];

/** Names of messages in the sources, by those in the recordings. */
const CALLED: Readonly<Record<string, string>> = {
  ...{ publicAggreBookTicker: 'bookTicker', publicAggreDeals: 'deals', publicSpotKline: 'kline' },
  ...{ privateOrders: 'order', privateDeals: 'deal', privateAccount: 'account' },
};

/** Returns the calls of a public adapter whose methods are all called. */
async function publicCalls({ recordings, open }: Venue): Promise<string[]> {
  const venue = await openReplayVenue(recordings);
  const exchange = await open({ net: openGivenNet('recorded', venue, { now: Date.now }), now: Date.now });
  await exchange.markets();
  // A response that is not recorded is a failure here, and a call without facts in the table.
  await Promise.allSettled([
    exchange.tickers(['BTC-USDT']),
    exchange.candles('BTC-USDT', '1h', 0, exchange.time()),
    ...('funding' in exchange ? [exchange.funding(), exchange.fundingHistory('BTC-USDT', 0, exchange.time())] : []),
  ]);
  await exchange.close();
  await venue.close();
  return [...venue.asked];
}

function messages({ streams }: Venue): string[] {
  const folder = new URL('../../src/', import.meta.url);
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => streams.test(file) && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const names = /(?:accountStream|marketConnection)\.ts$/.test(file) ? [...NAMES, CASES] : NAMES;
      return names.flatMap((name) => [...text.matchAll(name)].map(([, word = '']) => CALLED[word] ?? word));
    });
  return [...new Set(found)];
}

/** Rows of the table in docs/live.md: one for each source of facts, and one for what none covers. */
function rowsOf(title: string, read: readonly (readonly [string, Recording | undefined])[]): string[] {
  const bySource = new Map<string, string[]>();
  for (const [name, recording] of read) {
    const facts = recording === undefined ? '**nothing**' : `${recording.source}: ${recording.from}`;
    bySource.set(facts, [...(bySource.get(facts) ?? []), `\`${name}\``]);
  }
  return [...bySource]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([facts, names]) => `| ${title} | ${facts} | ${names.sort().join(', ')} |`);
}

async function table(): Promise<string> {
  const rows = await Promise.all(
    VENUES.map(async (venue) => {
      const { rest, streams } = venue.recordings;
      const calls = new Set([...venue.signed.keys(), ...(await publicCalls(venue))]);
      const read = [...calls].map((call) => [call, rest[call]] as const);
      const events = messages(venue).map((name) => [name, streams[name]] as const);
      return [...rowsOf(`${venue.title}, calls`, read), ...rowsOf(`${venue.title}, messages`, events)];
    }),
  );
  return ['| Exchange | Facts | Calls and messages |', '|---|---|---|', ...rows.flat()].join('\n');
}

test('docs/live.md lists which calls and messages recordings cover', async () => {
  const text = readFileSync(new URL('../../../../docs/live.md', import.meta.url), 'utf8');
  const written = text
    .split('\n')
    .filter((line) => /^\| (?:Exchange|.+, (?:calls|messages)) \||^\|---\|---\|---\|$/.test(line));
  const expected = await table();
  expect(written.join('\n'), `the table should be\n${expected}\n`).toBe(expected);
});

test.each(VENUES)('no recording of $title is of a call or message that Heron does not read', async (venue) => {
  const { rest, streams } = venue.recordings;
  const calls = new Set([...venue.signed.keys(), ...(await publicCalls(venue))]);
  expect(Object.keys(rest).filter((call) => !calls.has(call))).toEqual([]);
  expect(Object.keys(streams).filter((name) => !messages(venue).includes(name))).toEqual([]);
});
