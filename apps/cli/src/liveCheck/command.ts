import path from 'node:path';
import process from 'node:process';
import { parseUnits } from '@heron/engine/money/units.ts';
import { faultText } from '@heron/exchanges/net/faultText.ts';
import type { GivenAddresses } from '@heron/exchanges/net/hosts.ts';
import type { ApiKey } from '@heron/exchanges/trading.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { askLine, askSecret, readLines } from '../host/prompt.ts';
import { type CommandNet, openCommandNet } from '../installation/openCommandNet.ts';
import { defaultDataFolder } from '../start/command.ts';
import { runLiveCheck } from './liveCheck.ts';
import { CHECKED_VENUES, type CheckedVenue, demoKey, openNetAt, openVenue } from './openVenue.ts';
import { reportText } from './report.ts';

const POLL_MS = 500;
const TIMEOUT_MS = 20_000;
const CLEAN_UP_MS = 90_000;
/** Exit codes: the check failed; something is left at the exchange. */
const FAILED = 1;
const LEFT_OVERS = 2;

const MONEY = {
  real: 'REAL MONEY',
  testnet: 'play money of the testnet',
  demo: 'play money of the demo market',
} as const;

interface Flags extends Partial<GivenAddresses> {
  readonly venue: CheckedVenue;
  readonly pair: string;
  readonly limit: string;
  readonly data: string;
  readonly json: boolean;
}

/** `heron live-check`: tests the life of an order at a venue with orders of the minimum size. */
export function liveCheckCommand(): Command {
  return new Command('live-check')
    .description(
      'Test placing, amending, cancelling and filling orders of the minimum size, clean up, and print a report. Key and secret are asked for, or read as lines from standard input, then the limit once more.',
    )
    .addOption(
      new Option('--venue <id>', `one of ${CHECKED_VENUES.map(({ id }) => id).join(', ')}`)
        .makeOptionMandatory()
        .argParser(parseVenue),
    )
    .addOption(new Option('--pair <pair>', 'what is bought and sold').default('BTC-USDT'))
    .addOption(
      new Option('--limit <amount>', 'max order value, in the quote currency').default('15').argParser(parseLimit),
    )
    .addOption(new Option('--json', 'print the report as JSON').default(false))
    .addOption(
      new Option(
        '--data <folder>',
        'data folder, for the key of the demo market and the proxies that are set in the app',
      )
        .env('HERON_DATA')
        .default(defaultDataFolder(), './data')
        .argParser((text) => path.resolve(text)),
    )
    .addOption(new Option('--rest <address>', "another address than the venue's own, as heron sandbox prints it"))
    .addOption(new Option('--ws <address>', 'the same for streams'))
    .addOption(new Option('--ws-api <address>', 'the same for the WebSocket API of Binance spot'))
    .addHelpText(
      'after',
      `
Proxies that are set in the app are used when Heron runs on the data folder (or HERON_DATABASE_URL is set), otherwise those
of HTTPS_PROXY, ALL_PROXY and NO_PROXY. Nothing is sent to an exchange that has banned this IP address.`,
    )
    .action(liveCheck);
}

async function liveCheck(flags: Flags): Promise<void> {
  const access = await openAccess(flags);
  try {
    await checkThrough(access, flags);
  } finally {
    await access.close();
  }
}

/** @throws Error during a ban by the exchange */
async function openAccess(flags: Flags): Promise<CommandNet> {
  const { venue, data } = flags;
  const addresses = givenAddresses(flags);
  if (addresses !== null) return openNetAt(venue, addresses);
  if (venue.environment === 'demo') return openNetAt(venue, venue.addresses);
  const access = await openCommandNet({ exchange: venue.exchange, venue: venue.id, data }, (line) =>
    console.error(line),
  );
  const pause = access.net.pause();
  if (pause === null) return access;
  await access.close();
  throw new Error(`nothing was done. ${faultText({ kind: 'paused', ...pause }).en}`);
}

async function checkThrough(access: CommandNet, flags: Flags): Promise<void> {
  const { venue, pair, limit, json } = flags;
  const key = await confirmedKey(flags);
  const interrupt = new AbortController();
  const onSignal = () => {
    console.error(
      interrupt.signal.aborted ? 'Still cleaning up …' : '\nStopping: orders are cancelled, what was bought is sold …',
    );
    interrupt.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  const { reading, trading } = await openVenue(venue.exchange, access, key);
  try {
    const market = (await reading.markets(pair)).find((found) => found.pair === pair);
    if (market === undefined) throw new Error(`${venue.id} has no pair ${pair} that can be traded`);
    const report = await runLiveCheck({
      ...{ heron: manifest.version, venue: venue.id, reading, trading, market, signal: interrupt.signal },
      ...{ limit: parseUnits(limit) ?? 0, pollMs: POLL_MS, timeoutMs: TIMEOUT_MS, cleanUpMs: CLEAN_UP_MS },
      onStep({ name, status }) {
        console.error(`${status.padEnd(15)} ${name}`);
      },
    });
    console.log(json ? JSON.stringify(report) : reportText(report));
    process.exitCode = report.left.length > 0 ? LEFT_OVERS : report.passed ? 0 : FAILED;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
    await trading.close();
    await reading.close();
  }
}

/**
 * Reads the key after the user has typed the limit.
 *
 * @throws Error when the limit was not typed
 */
async function confirmedKey({ venue, pair, limit, data, rest }: Flags): Promise<ApiKey> {
  const fromFile = venue.environment === 'demo' && rest === undefined ? await demoKey(data, venue.keyFile) : null;
  const quote = pair.split('-')[1] ?? '';
  const question = `This places orders of ${pair} on ${venue.id} with ${MONEY[venue.environment]}, at most ${limit} ${quote} each.\nType ${limit} to go on: `;
  let [key, secret, typed]: (string | undefined)[] = [fromFile?.key, fromFile?.secret];
  if (process.stdin.isTTY) {
    key ??= await askLine('API key: ');
    secret ??= await askSecret('Secret (not shown): ');
    typed = await askLine(question);
  } else {
    const lines = await readLines();
    [key, secret, typed] = fromFile === null ? lines : [key, secret, lines[0]];
  }
  if (!key || !secret) throw new Error('standard input must hold lines: the key, the secret, and the limit');
  if (typed !== limit) throw new Error(`nothing was done: the limit ${limit} was not confirmed`);
  return { key, secret };
}

function givenAddresses({ rest, ws, wsApi }: Flags): GivenAddresses | null {
  if (rest === undefined) return null;
  if (ws === undefined) throw new Error('--rest needs --ws, as heron sandbox prints it');
  return { rest, ws, ...(wsApi !== undefined && { wsApi }) };
}

function parseVenue(text: string): CheckedVenue {
  const found = CHECKED_VENUES.find(({ id }) => id === text);
  if (found === undefined) {
    throw new InvalidArgumentError(`It is one of ${CHECKED_VENUES.map(({ id }) => id).join(', ')}.`);
  }
  return found;
}

function parseLimit(text: string): string {
  const units = parseUnits(text);
  if (units === null || units <= 0) throw new InvalidArgumentError('A limit is a positive amount, such as 15.');
  return text;
}
