import { Command, InvalidArgumentError, Option } from 'commander';
import { parsePort } from '../start/command.ts';
import { demoPorts, STANDARD_PORTS } from '../start/settings.ts';
import { listenForStop } from '../start/stopRequest.ts';

type Options = { seed?: number; host: string; port: number; data?: string; faults: boolean; json: boolean };

/** `heron sandbox`: the demo market alone, for any client that speaks the protocol of a real exchange. */
export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('Run only the demo market: simulated exchanges with real protocols.')
    .addOption(
      new Option('--seed <number>', 'seed of the market; the same seed gives the same market').argParser(parseSeed),
    )
    .addOption(new Option('--host <address>', 'address on which it listens').default('127.0.0.1'))
    .addOption(
      new Option('--port <port>', 'port of Binance; USD-M futures and MEXC use the next two; 0 uses any free ports')
        .default(STANDARD_PORTS['demo market'])
        .argParser(parsePort),
    )
    .addOption(new Option('--data <folder>', 'folder of its state; without it each run begins empty'))
    .addOption(
      new Option('--faults', 'for tests: accept faults for each exchange over HTTP, at /faults on its port').default(
        false,
      ),
    )
    .addOption(new Option('--json', 'print one line of JSON').default(false))
    .action(async ({ data, seed, host, port, faults, json }: Options) => {
      const stop = listenForStop();
      const { startSandbox } = await import('@heron/sandbox/sandbox.ts');
      const sandbox = await startSandbox({
        host,
        ...demoPorts(port),
        faults,
        ...(seed === undefined ? {} : { seed }),
        ...(data === undefined ? {} : { dataDir: data }),
      });
      const { binance, binanceusdm, mexc } = sandbox;
      if (json) console.log(JSON.stringify({ binance, binanceusdm, mexc }));
      else print({ Binance: binance, 'Binance USD-M': binanceusdm, MEXC: mexc });
      await stop.requested;
      await sandbox.close();
    });
}

interface Protocol {
  readonly rest: string;
  readonly ws: string;
  readonly wsApi?: string;
  readonly key: string;
  readonly secret: string;
  readonly ed25519?: { readonly key: string; readonly secret: string };
}

function print(protocols: Record<string, Protocol>): void {
  for (const [name, { rest, ws, wsApi, key, secret, ed25519 }] of Object.entries(protocols)) {
    console.log(`${name}
  REST           ${rest}
  WebSocket      ${ws}${wsApi === undefined ? '' : `\n  WebSocket API  ${wsApi}`}
  Demo key       ${key}
  Demo secret    ${secret}`);
    if (ed25519 !== undefined) console.log(`  Ed25519 key    ${ed25519.key}\n${ed25519.secret.replace(/^/gm, '    ')}`);
  }
  console.log('\nPrices and money are simulated. Ctrl-C stops it.');
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed))
    throw new InvalidArgumentError('A seed must be a whole number from 0.');
  return seed;
}
