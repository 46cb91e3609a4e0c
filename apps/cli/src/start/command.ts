import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { HOSTED_VENUES, parseVenues } from '../flags/venue.ts';
import { LOOPBACK, STANDARD_PORTS, type StartSettings } from './settings.ts';

/** Returns the data folder inside the checkout, whatever the current folder is. */
export function defaultDataFolder(): string {
  return path.join(import.meta.dirname, '..', '..', '..', '..', 'data');
}

type Options = {
  role: 'all' | 'bothost';
  pair: boolean;
  market?: string;
  data: string;
  host: string;
  port: number;
  controlPort: number;
  venues: VenueId[];
  workerPorts: 'standard' | 'free';
  sandboxPort: number;
  logLevel: string;
  publicUrl?: string;
  trustedProxy: string[];
  firstAccount: 'administrator' | 'member';
  open: boolean;
};

/** `heron start`: everything that makes Heron run, in the foreground, until Ctrl-C. */
export function startCommand(): Command {
  return new Command('start')
    .description('Run Heron: database, demo market, bot host and web app.')
    .addOption(
      new Option('--role <role>', 'what runs here: everything, or a second bot host for a Heron on another machine')
        .env('HERON_ROLE')
        .choices(['all', 'bothost'])
        .default('all'),
    )
    .addOption(
      new Option(
        '--pair',
        'with --role bothost: run alone, with own keys, and pair with a Heron on another machine',
      ).default(false),
    )
    .addOption(
      new Option('--market <url>', 'with --role bothost: address of the demo market of the first bot host')
        .env('HERON_MARKET')
        .argParser(parseWebAddress),
    )
    .addOption(
      new Option('--data <folder>', 'folder of all data').env('HERON_DATA').default(defaultDataFolder(), './data'),
    )
    .addOption(
      new Option('--host <address>', 'address on which the web app listens').env('HERON_HOST').default('127.0.0.1'),
    )
    .addOption(portOption('--port <port>', 'port of the web app', 'HERON_PORT', STANDARD_PORTS['web app']))
    .addOption(
      portOption('--control-port <port>', 'port of the bot host', 'HERON_CONTROL_PORT', STANDARD_PORTS['bot host']),
    )
    .addOption(
      new Option('--venues <list>', 'venues that bots may trade on: demo, testnet, real, or ids of npx heron venues')
        .env('HERON_VENUES')
        .default([...HOSTED_VENUES], 'all')
        .argParser(parseVenues),
    )
    .addOption(
      new Option('--worker-ports <which>', 'ports of the workers: those of npx heron venues, or any free ones')
        .env('HERON_WORKER_PORTS')
        .choices(['standard', 'free'])
        .default('standard'),
    )
    .addOption(
      portOption(
        '--sandbox-port <port>',
        'port of the demo market; USD-M futures and MEXC use the next two, 0 uses any free ports',
        'HERON_SANDBOX_PORT',
        STANDARD_PORTS['demo market'],
      ),
    )
    .addOption(
      new Option('--log-level <level>', 'lowest level of printed messages')
        .env('HERON_LOG_LEVEL')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
        .default('warn'),
    )
    .addOption(
      new Option('--public-url <url>', 'URL at which users reach Heron behind a reverse proxy')
        .env('HERON_PUBLIC_URL')
        .argParser(parseWebAddress),
    )
    .addOption(
      new Option('--trusted-proxy <address>', 'reverse proxy whose X-Forwarded headers are trusted; may be repeated')
        .env('HERON_TRUSTED_PROXIES')
        .default([])
        .argParser((text, earlier: string[]) => [...earlier, ...text.split(',')]),
    )
    .addOption(
      new Option('--first-account <role>', 'role of the first account on a Heron that only this machine can reach')
        .env('HERON_FIRST_ACCOUNT')
        .choices(['administrator', 'member'])
        .default('administrator'),
    )
    .addOption(new Option('--open', 'open the web app in the browser').default(false))
    .addHelpText(
      'after',
      '\nHERON_DATABASE_URL: use this PostgreSQL server instead of the built-in one.' +
        '\nHERON_WORKER_HOST: address at which bot hosts on other machines reach this one.' +
        '\nHERON_SMTP_URL, HERON_MAIL_FROM: mail server and sender address for e-mails.' +
        '\nHERON_SMS_PROVIDER: aliyun or twilio, with its keys, for text messages. See docs/messages.md.' +
        '\nHERON_TELEGRAM_TOKEN: bot that sends notifications by Telegram. See docs/notifications.md.' +
        '\nHERON_NOTIFY_PRIVATE=1: allow notifications to, and pairing with, addresses of private networks.' +
        '\nHERON_WECHAT_…, HERON_APPLE_…: log in with WeChat and Apple. See docs/logins.md.' +
        '\nPort 0 uses any free port.',
    )
    .action(async (options: Options, command: Command) => {
      const bothost = fileURLToPath(import.meta.resolve('@heron/bothost/process.ts'));
      const sandbox = fileURLToPath(import.meta.resolve('./sandboxProcess.ts'));
      if (options.pair) {
        if (options.role !== 'bothost') throw new InvalidArgumentError('--pair needs --role bothost.');
        const { pairHost } = await import('./pairHost.ts');
        // The other end is on another machine.
        const host = command.getOptionValueSource('host') === 'default' ? '0.0.0.0' : options.host;
        process.exitCode = await pairHost(settingsFrom({ ...options, host }), { bothost, sandbox });
        return;
      }
      if (options.role === 'bothost') {
        const { joinHost } = await import('./joinHost.ts');
        process.exitCode = await joinHost(settingsFrom(options), bothost);
        return;
      }
      const { runSupervisor } = await import('./supervisor.ts');
      process.exitCode = await runSupervisor(settingsFrom(options), {
        sandbox,
        bothost,
        platform: fileURLToPath(import.meta.resolve('@heron/platform/process.ts')),
      });
    });
}

function settingsFrom({
  data,
  publicUrl,
  trustedProxy,
  market,
  role: _,
  pair: __,
  ...options
}: Options): StartSettings {
  return {
    ...options,
    workerHost: process.env.HERON_WORKER_HOST || LOOPBACK,
    notifyPrivate: process.env.HERON_NOTIFY_PRIVATE === '1',
    market: market ?? null,
    dataFolder: path.resolve(data),
    databaseUrl: process.env.HERON_DATABASE_URL || null,
    publicUrl: publicUrl ?? null,
    trustedProxies: trustedProxy,
  };
}

function portOption(flags: string, description: string, variable: string, standard: number): Option {
  return new Option(flags, description).env(variable).default(standard).argParser(parsePort);
}

function parseWebAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('It must have the form https://heron.example.');
}

/** @throws InvalidArgumentError, which commander prints with the name of the option */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port must be a whole number from 0 to 65535.');
  return port;
}
