import { join } from 'node:path';
import { BINANCE } from './binance/server.ts';
import { type Clock, wallClock } from './clock.ts';
import { MEXC } from './mexc/server.ts';
import { type OpenStall, openStall } from './stall.ts';

const DEFAULT_PORT = 17_820;
const MEXC_PORT = 17_822;
/** Binance has the sandbox's folder itself, the others folders in it. */
const MEXC_FOLDER = 'mexc';

export type SandboxOptions = {
  /** makes the same market again; default: at random, or the one the folder was made with */
  seed?: number;
  /** default 127.0.0.1 */
  host?: string;
  /** of Binance, default 17820; 0 for any free port */
  port?: number;
  /** of MEXC; default 17822 where Binance has its own default, else any free port */
  mexcPort?: number;
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
  };
  mexc: {
    /** base address, to which /api/v3/… is added */
    rest: string;
    /** stream address, of market and account */
    ws: string;
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
  const { host = '127.0.0.1', port = DEFAULT_PORT, clock = wallClock, dataDir, seed, faults = false } = options;
  const open: OpenStall[] = [];
  const closeAll = async () => {
    await Promise.all(open.map((stall) => stall.close()));
  };
  try {
    const binance = await openStall(BINANCE, { seed, host, port, dataDir, clock, eager: true, faults });
    open.push(binance);
    const mexc = await openStall(MEXC, {
      seed: binance.seed,
      host,
      port: options.mexcPort ?? (port === DEFAULT_PORT ? MEXC_PORT : 0),
      dataDir: dataDir === undefined ? undefined : join(dataDir, MEXC_FOLDER),
      clock,
      eager: false,
      faults,
    });
    open.push(mexc);
    let closing: Promise<void> | undefined;
    return {
      binance: {
        rest: `http://${binance.address}`,
        ws: `ws://${binance.address}/stream/ws`,
        wsApi: `ws://${binance.address}/ws-api/v3`,
        ...binance.keys,
      },
      mexc: { rest: `http://${mexc.address}`, ws: `ws://${mexc.address}/ws`, ...mexc.keys },
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
