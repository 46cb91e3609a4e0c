import path from 'node:path';
import process from 'node:process';
import { parseUnits } from '@heron/engine/money/units.ts';
import { faultText } from '@heron/exchanges/net/faultText.ts';
import type { GivenAddresses } from '@heron/exchanges/net/hosts.ts';
import type { ApiKey } from '@heron/exchanges/trading.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { promptLine, promptSecret, readLines } from '../host/prompt.ts';
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
  testnet: 'testnet money',
  demo: 'demo money',
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
      'Test placing, amending, cancelling and filling of orders of the minimum size, clean up, and print a report. Prompts for key, secret and a repeated limit, or reads them as lines from standard input.',
    )
    .addOption(
      new Option('--venue <id>', `one of ${CHECKED_VENUES.map(({ id }) => id).join(', ')}`)
        .makeOptionMandatory()
        .argParser(parseVenue),
    )
    .addOption(new Option('--pair <pair>', 'pair to trade').default('BTC-USDT'))
    .addOption(
      new Option('--limit <amount>', 'max order value, in the quote currency').default('15').argParser(parseLimit),
    )
    .addOption(new Option('--json', 'print the report as JSON').default(false))
    .addOption(
      new Option('--data <folder>', 'data folder, for the key of the demo market and the proxies set in the app')
        .env('HERON_DATA')
        .default(defaultDataFolder(), './data')
        .argParser((text) => path.resolve(text)),
    )
    .addOption(new Option('--rest <address>', "address in place of the venue's own, as printed by heron sandbox"))
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
  throw new Error(`no order was sent. ${faultText({ kind: 'paused', ...pause }).en}`);
}

async function checkThrough(access: CommandNet, flags: Flags): Promise<void> {
  const { venue, pair, limit, json } = flags;
  const key = await confirmedKey(flags);
  const interrupt = new AbortController();
  const onSignal = () => {
    console.error(
      interrupt.signal.aborted ? 'Still cleaning up …' : '\nStopping: cancelling orders and selling what was bought …',
    );
    interrupt.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  const { reading, trading } = await openVenue(venue.exchange, access, key);
  try {
    const market = (await reading.markets(pair)).find((found) => found.pair === pair);
    if (market === undefined) throw new Error(`${venue.id} does not trade ${pair}: choose another pair with --pair`);
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
  const question = `This places orders of ${pair} on ${venue.id} with ${MONEY[venue.environment]}, at most ${limit} ${quote} each.\nType ${limit} to continue: `;
  let [key, secret, typed]: (string | undefined)[] = [fromFile?.key, fromFile?.secret];
  if (process.stdin.isTTY) {
    key ??= await promptLine('API key: ');
    secret ??= await promptSecret('Secret (not shown): ');
    typed = await promptLine(question);
  } else {
    const lines = await readLines();
    [key, secret, typed] = fromFile === null ? lines : [key, secret, lines[0]];
  }
  if (!key || !secret)
    throw new Error('standard input must contain the key, the secret and the limit, each on its own line');
  if (typed !== limit) throw new Error(`no order was sent: the limit ${limit} was not confirmed`);
  return { key, secret };
}

function givenAddresses({ rest, ws, wsApi }: Flags): GivenAddresses | null {
  if (rest === undefined) return null;
  if (ws === undefined) throw new Error('--rest needs --ws, as printed by heron sandbox');
  return { rest, ws, ...(wsApi !== undefined && { wsApi }) };
}

function parseVenue(text: string): CheckedVenue {
  const found = CHECKED_VENUES.find(({ id }) => id === text);
  if (found === undefined) {
    throw new InvalidArgumentError(`It must be one of ${CHECKED_VENUES.map(({ id }) => id).join(', ')}.`);
  }
  return found;
}

function parseLimit(text: string): string {
  const units = parseUnits(text);
  if (units === null || units <= 0) throw new InvalidArgumentError('A limit must be a positive amount, such as 15.');
  return text;
}
