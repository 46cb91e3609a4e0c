import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { copyPrepared } from '@heron/database/testing/preparedFolder.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
/** Start timeout in ms, shorter than a hook's. The start takes 5 s, or over 60 s on a fully loaded machine. */
const DEADLINE_MS = 110_000;

/**
 * Configures a proxy that refuses every connection, so that tests never contact a real exchange and screens look the same
 * everywhere.
 */
const OFFLINE = { HTTPS_PROXY: 'http://127.0.0.1:1', ALL_PROXY: '', NO_PROXY: '', no_proxy: '' } as const;

/** The complete system, as `npm start` runs it, on separate ports. */
export interface RunningHeron {
  readonly url: string;
  readonly output: () => string;
  /** The one-time link that Heron printed. */
  readonly setupLink: string | null;
  readonly process: ChildProcess;
  /** Sends Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface Installation {
  readonly dataFolder: string;
  readonly port: number;
  remove(): Promise<void>;
}

/** Returns an empty data folder and a free port that a restart can use again. */
export async function newInstallation(): Promise<Installation> {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'heron-e2e-'));
  const port = await freePorts(1);
  return { dataFolder, port, remove: () => rm(dataFolder, { recursive: true, force: true }) };
}

/** Returns an installation on which Heron was started and stopped once, with a free port that a restart can use again. */
export async function preparedInstallation(): Promise<Installation> {
  const installation = await newInstallation();
  await copyStartedOnce(installation.dataFolder);
  return installation;
}

/**
 * Copies the data of a Heron that was started and stopped once: a quarter less processor time than a first start, which
 * creates the database and 30 days of the demo market. The copies have the secret, the seed and the keys of the demo
 * market in common, but no vault key, and each start prints its own setup link.
 *
 * @param target its parent exists
 */
export function copyStartedOnce(target: string): Promise<void> {
  return copyPrepared('heron', target, async (dataFolder) => {
    const heron = await startHeron({ dataFolder, port: await freePorts(1) });
    const code = await heron.stop();
    if (code !== 0) throw new Error(`Heron ended with ${code}:\n${heron.output()}`);
  });
}

/** Returns the first of three adjacent free ports, as the demo market needs. */
export const freeMarketPort = (): Promise<number> => freePorts(3);

/** Returns the first of `count` adjacent free ports, below the range from which the system assigns ports. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 32_000);
    const free = await Promise.all(Array.from({ length: count }, (_, next) => isFree(first + next)));
    if (!free.includes(false)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const listening = await once(probe, 'listening').catch(() => null);
  if (listening === null) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}

/**
 * Starts Heron; rejects with its output when it does not start.
 *
 * @param sandboxPort first port of the demo market, which also uses the next two; 0 for any free ones
 */
export async function startHeron(
  installation: Pick<Installation, 'dataFolder' | 'port'>,
  env: Record<string, string> = {},
  sandboxPort = 0,
): Promise<RunningHeron> {
  const child = spawn(
    process.execPath,
    [
      'apps/cli/src/main.ts',
      'start',
      ...['--data', installation.dataFolder],
      ...['--port', String(installation.port)],
      ...['--control-port', '0', '--worker-ports', 'free', '--sandbox-port', String(sandboxPort)],
    ],
    {
      cwd: ROOT,
      // Most tests register several members.
      env: { ...process.env, ...OFFLINE, HERON_DATABASE_URL: '', HERON_FIRST_ACCOUNT: 'member', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    let why = 'heron ended';
    const timer = setTimeout(() => {
      why = `${DEADLINE_MS / 1000} s passed`;
      child.kill('SIGINT'); // Otherwise it could start later, and nothing would stop it.
    }, DEADLINE_MS);
    const onOutput = (chunk: Buffer) => {
      output += chunk;
      const match = /Open +(http\S+)[\s\S]*Ctrl-C/.exec(output);
      if (match?.[1]) {
        clearTimeout(timer);
        resolve(match[1]);
      }
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`${why}; printed:\n${output}`));
    });
  });
  return {
    url,
    output: () => output,
    setupLink: /Set up +(http\S+)/.exec(output)?.[1] ?? null,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill('SIGINT');
      await once(child, 'exit');
      return child.exitCode;
    },
  };
}

/** Returns the process ID of a Heron's bot host. */
export async function botHostOf({ process: { pid } }: RunningHeron): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.trim().split(' ').map(Number)) {
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('bothost')) return child;
  }
  throw new Error('this Heron has no bot host');
}

/** A standalone bot host, as `heron start --role bothost --pair` runs it, on free ports. */
export interface RunningPairHost {
  readonly port: number;
  /** The pairing code that it printed. */
  readonly code: string;
  /** Adds a key of its demo market through its command line. */
  addDemoKey(label: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a standalone bot host; rejects with its output when it does not start. */
export async function startPairHost(installation: Installation): Promise<RunningPairHost> {
  const ports = ['--control-port', '0', '--sandbox-port', '0', '--worker-ports', 'free'];
  const child = spawn(
    process.execPath,
    ['apps/cli/src/main.ts', 'start', '--role', 'bothost', '--pair', '--data', installation.dataFolder, ...ports],
    { cwd: ROOT, env: { ...process.env, HERON_DATABASE_URL: '' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  const { port, code } = await new Promise<{ port: number; code: string }>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGINT'), DEADLINE_MS);
    const onOutput = (chunk: Buffer) => {
      output += chunk;
      const match = /port (\d+)[\s\S]*Code +(\S+)[\s\S]*Ctrl-C/.exec(output);
      if (match === null) return;
      clearTimeout(timer);
      resolve({ port: Number(match[1]), code: String(match[2]) });
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`the bot host ended; printed:\n${output}`));
    });
  });
  return {
    port,
    code,
    async addDemoKey(label) {
      const file = path.join(installation.dataFolder, 'sandbox', 'keys.json');
      const { key, secret } = JSON.parse(await readFile(file, 'utf8')) as { key: string; secret: string };
      const flags = ['--data', installation.dataFolder, '--control-port', String(port)];
      const adding = spawn(process.execPath, ['apps/cli/src/main.ts', 'keys', 'add', 'binance-demo', label, ...flags], {
        ...{ cwd: ROOT, stdio: ['pipe', 'ignore', 'inherit'] },
      });
      adding.stdin.end(`${key}\n${secret}\n`);
      const [exit] = await once(adding, 'exit');
      if (exit !== 0) throw new Error('the key was not added');
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}
