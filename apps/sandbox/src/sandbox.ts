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
  /** makes the same market again; default: at random, or the one the folder was made with */
  seed?: number;
  /** default 127.0.0.1 */
  host?: string;
  /** of Binance spot, default 17820; 0 for any free port */
  port?: number;
  /** of Binance USD-M; default 17821 where Binance spot has its own default, else any free port */
  usdmPort?: number;
  /** of MEXC; default 17822 where Binance spot has its own default, else any free port */
  mexcPort?: number;
  /** time between fundings of futures; default eight hours, for tests less */
  fundingMs?: number;
  /** where the market lives on after a restart; without it everything is forgotten */
  dataDir?: string;
  /** default: the machine's clock */
  clock?: Clock;
  /** lets every exchange be told over HTTP to misbehave (`/faults` on its port); for tests, default no */
  faults?: boolean;
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
    /** the same account by an Ed25519 key; the secret is the private key as PEM text */
    ed25519: { key: string; secret: string };
  };
  binanceusdm: {
    /** base address, to which /fapi/v1/… is added */
    rest: string;
    /** stream address, before which ccxt puts /public, /market and /private; the official client gets `wsBase` */
    ws: string;
    wsBase: string;
    key: string;
    secret: string;
    ed25519: { key: string; secret: string };
  };
  mexc: {
    /** base address, to which /api/v3/… is added */
    rest: string;
    /** stream address, of market and account */
    ws: string;
    key: string;
    secret: string;
  };
  /** Saves everything and lets go of ports and folders, within a second. */
  close(): Promise<void>;
};

/**
 * Starts exchanges in a box: ten markets each that move by themselves, and a demo account to trade on them. Binance spot
 * begins at once; the others when somebody comes, or at once when they have a past.
 *
 * @throws SandboxError when a port is taken or a folder cannot be used; then nothing is left running
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
      // one seed for all, so that the same coin costs about the same everywhere
      seed: open[0]?.seed ?? seed,
      host,
      port: at,
      // the folder's own room is Binance spot's, as it always was
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
