import { randomInt } from 'node:crypto';
import { RateLimits } from './binance/rate-limits.ts';
import { serveBinance } from './binance/server.ts';
import { type Clock, wallClock } from './clock.ts';
import { SandboxError } from './errors.ts';
import { Exchange } from './market/exchange.ts';
import { PAIRS } from './market/pairs.ts';
import { Folder, makeKeys } from './storage/folder.ts';

const DEFAULT_PORT = 17_820;
const SAVE_MS = 5_000;

export type SandboxOptions = {
  /** makes the same market again; default: at random, or the one the folder was made with */
  seed?: number;
  /** default 127.0.0.1 */
  host?: string;
  /** default 17820; 0 for any free port */
  port?: number;
  /** where the market lives on after a restart; without it everything is forgotten */
  dataDir?: string;
  /** default: the machine's clock */
  clock?: Clock;
};

export type Sandbox = {
  binance: {
    /** base address, to which /api/v3/… is added */
    rest: string;
    /** stream address, to which ccxt adds /<number> */
    ws: string;
    wsApi: string;
    key: string;
    secret: string;
  };
  /** Saves everything and lets go of port and folder, within a second. */
  close(): Promise<void>;
};

/**
 * Starts exchanges in a box: ten markets that move by themselves, and a demo account to trade on them.
 *
 * @throws SandboxError when the port is taken or the folder cannot be used; then nothing is left running
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = DEFAULT_PORT, clock = wallClock, dataDir } = options;
  const opened = dataDir === undefined ? undefined : Folder.open(dataDir, PAIRS);
  const folder = opened?.folder;
  try {
    const keptSeed = opened?.loaded.state?.seed;
    if (options.seed !== undefined && keptSeed !== undefined && options.seed !== keptSeed) {
      throw new SandboxError(
        'SEED_DIFFERS',
        `The market in ${dataDir} was made with seed ${keptSeed}; leave the seed out, or give another folder`,
      );
    }
    const seed = options.seed ?? keptSeed ?? randomInt(2 ** 32);
    const keys = folder?.keys() ?? makeKeys();
    const exchange = Exchange.open(seed, PAIRS, clock.now(), folder, opened?.loaded);
    const server = await serveBinance({ exchange, clock, keys, limits: new RateLimits() }, host, port);
    const stopSaving = clock.every(SAVE_MS, () => {
      try {
        exchange.save(false);
      } catch (error) {
        exchange.failure = error as Error;
        console.error('sandbox: the market has stopped', error);
      }
    });
    const address = `${host.includes(':') ? `[${host}]` : host}:${server.port}`;
    let closing: Promise<void> | undefined;
    return {
      binance: {
        rest: `http://${address}`,
        ws: `ws://${address}/stream/ws`,
        wsApi: `ws://${address}/ws-api/v3`,
        ...keys,
      },
      close() {
        closing ??= (async () => {
          stopSaving();
          await server.close();
          exchange.save(true);
          folder?.close();
        })();
        return closing;
      },
    };
  } catch (error) {
    folder?.close();
    throw error;
  }
}
