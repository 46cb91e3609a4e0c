import { join } from 'node:path';
import { addressesOf, PORTS } from './addresses.ts';
import { type Clock, wallClock } from './clock.ts';
import { BINANCE } from './protocols/binance/binance.ts';
import { binanceUsdm } from './protocols/binanceusdm/binanceUsdm.ts';
import { MEXC } from './protocols/mexc/mexc.ts';
import {
  type ExchangeDefinition,
  type ExchangeServer,
  openExchangeServer,
  type RunningExchange,
} from './server/exchangeServer.ts';

export type SandboxOptions = {
  /** Generates the same market again. Default: random, or the seed of the folder. */
  seed?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Port of Binance spot, default 17820; 0 for any free port. */
  port?: number;
  /** Port of Binance USD-M. Default: 17821 where Binance spot has its default, else any free port. */
  usdmPort?: number;
  /** Port of MEXC. Default: 17822 where Binance spot has its default, else any free port. */
  mexcPort?: number;
  /** Time between fundings of futures; default eight hours, less in tests. */
  fundingMs?: number;
  /** The market continues from this folder after a restart; without it everything is lost. */
  dataDir?: string;
  /** Default: the machine's clock. */
  clock?: Clock;
  /** Enables faults over HTTP (`/faults` on the port of each exchange), for tests; default no. */
  faults?: boolean;
};

export type Sandbox = {
  binance: {
    /** Base address, before /api/v3/…. */
    rest: string;
    /** Stream address, to which ccxt adds /<number>. */
    ws: string;
    wsApi: string;
    key: string;
    secret: string;
    /** The same account by an Ed25519 key; the secret is the private key as PEM text. */
    ed25519: { key: string; secret: string };
  };
  binanceusdm: {
    /** Base address, before /fapi/v1/…. */
    rest: string;
    /** Stream address, before which ccxt puts /public, /market and /private; the official client uses `wsBase`. */
    ws: string;
    wsBase: string;
    key: string;
    secret: string;
    ed25519: { key: string; secret: string };
  };
  mexc: {
    /** Base address, before /api/v3/…. */
    rest: string;
    /** Stream address of market and account. */
    ws: string;
    key: string;
    secret: string;
  };
  /** Saves everything and closes ports and folders within a second. */
  close(): Promise<void>;
};

/**
 * Starts a sandbox: three exchanges with ten simulated markets each and a demo account. Binance spot starts at once;
 * the others at the first request, or at once when their folder has a state.
 *
 * @throws SandboxError when a port is taken or a folder cannot be used; everything is closed then
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = PORTS.binance, clock = wallClock, dataDir, seed, faults = false } = options;
  const open: ExchangeServer[] = [];
  const closeAll = async () => {
    await Promise.all(open.map((stall) => stall.close()));
  };
  const stall = async <E extends RunningExchange>(
    kind: ExchangeDefinition<E>,
    at: number,
    name?: string,
  ): Promise<ExchangeServer> => {
    const opened = await openExchangeServer(kind, {
      // All exchanges have one seed, so that a coin has a similar price everywhere.
      seed: open[0]?.seed ?? seed,
      host,
      port: at,
      // The root of the folder belongs to Binance spot, as in older versions.
      dataDir: dataDir !== undefined && name !== undefined ? join(dataDir, name) : dataDir,
      clock,
      eager: name === undefined,
      faults,
    });
    open.push(opened);
    return opened;
  };
  const elsewhere = port !== PORTS.binance;
  try {
    const binance = await stall(BINANCE, port);
    const usdmPort = options.usdmPort ?? (elsewhere ? 0 : PORTS.binanceusdm);
    const binanceusdm = await stall(binanceUsdm(options.fundingMs), usdmPort, 'binanceusdm');
    const mexc = await stall(MEXC, options.mexcPort ?? (elsewhere ? 0 : PORTS.mexc), 'mexc');
    let closing: Promise<void> | undefined;
    const addresses = addressesOf({
      binance: binance.address,
      binanceusdm: binanceusdm.address,
      mexc: mexc.address,
    });
    return {
      binance: { ...addresses.binance, ...binance.keys },
      binanceusdm: { ...addresses.binanceusdm, ...binanceusdm.keys },
      mexc: { ...addresses.mexc, key: mexc.keys.key, secret: mexc.keys.secret },
      close() {
        closing ??= closeAll();
        return closing;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
