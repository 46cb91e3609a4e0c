import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SandboxOptions } from '@heron/sandbox/sandbox.ts';
import type { Addresses } from '../system/venues.ts';

/** The exchanges in a box in a process of their own. */
export interface KillableMarket {
  /** They stay the same whatever is killed. */
  readonly addresses: Addresses;
  /** kill -9, and up again at the same addresses with what was on disk. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param dataDir where the market lives on */
export async function startKillableMarket(dataDir: string): Promise<KillableMarket> {
  let { child, addresses } = await launch({ port: 0, usdmPort: 0, mexcPort: 0, dataDir });
  const portOf = (url: string) => Number(new URL(url).port);
  const ports = {
    port: portOf(addresses.binance.rest),
    usdmPort: portOf(addresses.binanceusdm.rest),
    mexcPort: portOf(addresses.mexc.rest),
  };
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
      child.disconnect();
      await ended(child);
    },
  };
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
