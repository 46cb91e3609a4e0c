import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SandboxOptions } from '@heron/sandbox/sandbox.ts';
import type { Addresses } from '../system/venues.ts';

/** The sandbox exchanges in a separate process. */
export interface KillableMarket {
  /** These addresses stay the same across kills. */
  readonly addresses: Addresses;
  /** Kills the process (SIGKILL). `start` restarts it at the same addresses from the data on disk. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param dataDir data directory that the market restores itself from */
export async function startKillableMarket(dataDir: string): Promise<KillableMarket> {
  const { ports, ...first } = await launchAnywhere(dataDir);
  let { child, addresses } = first;
  return {
    addresses,
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
    async start() {
      ({ child, addresses } = await launch({ ...ports, dataDir }));
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended(child);
    },
  };
}

/**
 * First port of a range from which systems assign no ports for outgoing connections. Such a connection, even one to the
 * killed market, could occupy its port and prevent the restart.
 */
const LOWEST_PORT = 20_000;
const PORTS = 12_000;
const TRIES = 5;

async function launchAnywhere(dataDir: string) {
  for (let tries = 1; ; tries++) {
    const port = LOWEST_PORT + randomInt(PORTS);
    const ports = { port, usdmPort: port + 1, mexcPort: port + 2 };
    try {
      return { ...(await launch({ ...ports, dataDir })), ports };
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

async function launch(options: SandboxOptions): Promise<{ child: ChildProcess; addresses: Addresses }> {
  const child = fork(fileURLToPath(new URL('marketProcess.ts', import.meta.url)), [], { execArgv: [] });
  child.send(options);
  const [addresses] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
    Addresses | number | null,
  ];
  if (typeof addresses !== 'object' || addresses === null) throw new Error(`the market ended with ${addresses}`);
  return { child, addresses };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
