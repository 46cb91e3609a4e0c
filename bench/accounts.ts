import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FromChild } from '@heron/contract/process/child.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { type Figure, figureOf } from './figures.ts';
import { type Load, loadHttp } from './httpLoad.ts';

const PEOPLE = 200;
const PASSWORD = 'a heron stands in the water 7';
const WARM_UP_SECONDS = 2;
const SECONDS = 5;
const ROUNDS = 3;
/** The platform counts requests by address, and users have many. */
const ADDRESSES = 4_096;

/** Logins and checks of sessions by a platform in a process of its own, on a PostgreSQL of its own, as an installation has them. */
export async function accounts(): Promise<Figure[]> {
  const database = await temporaryDatabase();
  const { child, url } = await startPlatform(database.url);
  try {
    const { host } = new URL(url);
    const request = sender(host);
    const tokens: string[] = [];
    for (let n = 0; n < PEOPLE; n++) tokens.push(await join(url, n));

    const login = sequence((n) => request('System.Login.login', nameOf(n % PEOPLE)));
    const check = sequence((n) => {
      const token = tokens[n % tokens.length];
      return `GET /panacea/authentication HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${addressOf(n)}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    });
    return [
      ...(await measure('login', url, login, { connections: 4, note: 'argon2id, 7 MiB and five passes each' })),
      ...(await measure('session check', url, check, { connections: 64, note: `${tokens.length} sessions in turn` })),
    ];
  } finally {
    child.send({ type: 'stop' });
    await once(child, 'exit');
    await database.close();
  }
}

/** The median of three rounds. */
async function measure(
  name: string,
  url: string,
  next: () => string,
  { connections, note }: { connections: number; note: string },
): Promise<Figure[]> {
  const load = (seconds: number) => loadHttp(url, { connections, seconds, expected: 'HTTP/1.1 200', next });
  await load(WARM_UP_SECONDS);
  const rounds: Load[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await load(SECONDS));
  const [, median] = rounds.sort((a, b) => a.rate - b.rate);
  if (median === undefined) throw new Error('no round was run');
  const { rate, p50, p99, answers } = median;
  return [
    figureOf(name, rate, '/s', `${connections} connections, ${answers.toLocaleString('en')} answers, ${note}`),
    figureOf(`${name} p50`, p50, 'ms', ''),
    figureOf(`${name} p99`, p99, 'ms', ''),
  ];
}

async function startPlatform(databaseUrl: string): Promise<{ child: ChildProcess; url: string }> {
  const program = fileURLToPath(new URL('../apps/platform/src/process.ts', import.meta.url));
  const child = fork(program, [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const clientDir = mkdtempSync(path.join(os.tmpdir(), 'heron-bench-'));
  child.send({
    type: 'configure',
    config: {
      databaseUrl,
      host: '127.0.0.1',
      port: 0,
      bothostUrl: 'http://127.0.0.1:1',
      secret: 'secret of nothing but a benchmark',
      clientDir,
      dataDir: clientDir,
      logLevel: 'info',
      trustedProxies: ['127.0.0.1'],
    },
  });
  const [message]: [FromChild] = (await once(child, 'message')) as [FromChild];
  if (message.type !== 'ready') throw new Error(message.message);
  // The platform reports its address when it is ready.
  return { child, url: (message.info as { url: string }).url };
}

async function join(url: string, n: number): Promise<string> {
  const answer = await fetch(`${url}/api.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': addressOf(n) },
    body: JSON.stringify({ method: 'System.Register.usernameRegister', username: nameOf(n), password: PASSWORD }),
  });
  const { code, message, data } = (await answer.json()) as { code: number; message: string; data: string };
  if (code < 0) throw new Error(message);
  // The method's `data` in the contract.
  return (JSON.parse(data) as { token: string }).token;
}

/** Writes requests of the generic send. */
function sender(host: string) {
  let sent = 0;
  return (method: string, username: string) => {
    const body = JSON.stringify({ method, username, password: PASSWORD });
    return `POST /api.php HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${addressOf(sent++)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
}

function sequence(make: (n: number) => string): () => string {
  let n = 0;
  return () => make(n++);
}

const nameOf = (n: number) => `person-${n}`;
const addressOf = (n: number) => `10.${(n % ADDRESSES) >> 8}.${n & 255}.1`;
