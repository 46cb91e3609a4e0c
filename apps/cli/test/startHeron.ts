import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostmaster, isAlive } from '@heron/database/embedded/postmaster.ts';

/** A `heron start` under test. */
export type HeronUnderTest = {
  readonly process: ChildProcess;
  /** Returns everything printed so far, on both streams. */
  output(): string;
  /** Resolves with the first match in the output; rejects when the program ends or three minutes pass without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code, or with the signal that ended the program. */
  readonly exited: Promise<number | string>;
};

const DEADLINE_MS = 180_000;
const POLL_MS = 10;

/** Runs the supervisor with small processes in place of the real ones. */
export function startHeron(
  dataFolder: string,
  options: {
    port?: number;
    databaseUrl?: string;
    childrenNeverClose?: boolean;
    vaultKey?: string;
    smtp?: string;
    publicUrl?: string;
    trustedProxy?: string;
  } = {},
): HeronUnderTest {
  const program = path.join(import.meta.dirname, 'fixtures', 'startTiny.ts');
  const child = spawn(process.execPath, [program, dataFolder, String(options.port ?? 0)], {
    env: {
      ...process.env,
      HERON_DATABASE_URL: options.databaseUrl ?? '',
      TINY_NEVER_CLOSES: options.childrenNeverClose ? '1' : '',
      HERON_VAULT_KEY: options.vaultKey ?? '',
      HERON_PUBLIC_URL: options.publicUrl ?? '',
      HERON_TRUSTED_PROXIES: options.trustedProxy ?? '',
      HERON_SMTP_URL: options.smtp ?? '',
      HERON_MAIL_FROM: options.smtp === undefined ? '' : 'heron@mail.example',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const changed = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
      for (const listener of changed) listener();
    });
  }
  const exited = once(child, 'exit').then(([code, signal]) => signal ?? code);
  return {
    process: child,
    output: () => text,
    exited,
    async printed(pattern) {
      const found = Promise.withResolvers<RegExpExecArray>();
      const check = () => {
        const match = pattern.exec(text);
        if (match !== null) found.resolve(match);
      };
      const giveUp = (why: string) => found.reject(new Error(`${why} without printing ${pattern}; printed:\n${text}`));
      const timer = setTimeout(() => giveUp('Three minutes passed'), DEADLINE_MS);
      child.stdout.once('close', () => giveUp('It ended'));
      changed.add(check);
      check();
      return found.promise.finally(() => {
        clearTimeout(timer);
        changed.delete(check);
      });
    },
  };
}

/** Resolves once `condition` holds; rejects after three minutes. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`three minutes passed, and still not: ${what}`);
    await delay(POLL_MS);
  }
}

/** Returns every process of a running Heron: the supervisor, its children, and the database server. */
export async function processesOf(heron: HeronUnderTest, dataFolder: string): Promise<Map<string, number>> {
  const [, platformUrl = ''] = await heron.printed(/Open +(http\S+)/);
  const platform = await ask(platformUrl);
  const bothost = await ask(platform.config.bothostUrl ?? '');
  const sandbox = await ask(bothost.config.demo?.binance?.rest ?? '');
  const pids = { supervisor: heron.process.pid, platform: platform.pid, bothost: bothost.pid, sandbox: sandbox.pid };
  const found = new Map(Object.entries({ ...pids, postgres: findPostmaster(path.join(dataFolder, 'postgres'))?.pid }));
  return new Map([...found].map(([name, pid]) => [name, pid ?? Number.NaN]));
}

type TinyAnswer = {
  readonly pid: number;
  readonly config: { readonly bothostUrl?: string; readonly demo?: { readonly binance?: { readonly rest: string } } };
};

/** Returns the configuration that the platform received. */
export async function platformConfiguration(heron: HeronUnderTest): Promise<object> {
  const [, platformUrl = ''] = await heron.printed(/Open +(http\S+)/);
  return (await ask(platformUrl)).config;
}

/** Returns the configuration that the bot host received. */
export async function bothostConfiguration(heron: HeronUnderTest): Promise<object> {
  const [, platformUrl = ''] = await heron.printed(/Open +(http\S+)/);
  return (await ask((await ask(platformUrl)).config.bothostUrl ?? '')).config;
}

/** Reads the status of a tiny process; retries while it is being restarted. */
async function ask(url: string): Promise<TinyAnswer> {
  let answer: Response | null = null;
  await until(`${url} answers`, async () => {
    answer = await fetch(url).catch(() => null);
    return answer !== null;
  });
  return (answer as unknown as Response).json() as Promise<TinyAnswer>;
}

export function alive(processes: Map<string, number>): string[] {
  return [...processes].filter(([, pid]) => isAlive(pid)).map(([name]) => name);
}
