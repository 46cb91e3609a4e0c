import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { startPlatform } from '../src/platform.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD, SECRET, until } from './testPlatform.ts';

type Bot = { id: string; mode: 'paper' | 'live'; status: string };

let host: FakeBotHost;
let names = 0;
/** Bots and keys of all users at the fake bot host. */
let bots: Bot[] = [];
let keys: { id: string }[] = [];
/** Status of a bot after a stop, and whether the exchange confirms a halt. */
let stopped = 'finished';
let confirmed = true;

beforeAll(async () => {
  host = await startFakeBotHost();
});
afterAll(() => host.stop());
const heron = platformFixture(() => ({ bothostUrl: host.url }));
beforeEach(async () => {
  await heron.database.pool.query('update accounts.users set deleted_at = null');
  host.requests.length = 0;
  [bots, keys, stopped, confirmed] = [[], [], 'finished', true];
  host.respond = ({ method, url }, response) => {
    const [, , kind, id, act] = url.replace(/\?.*/, '').split('/');
    const bot = bots.find((each) => each.id === id);
    if (act === 'stop' && bot !== undefined && bot.status !== 'error') bot.status = stopped;
    if (method === 'DELETE' && url.endsWith('?orders=cancel') && !confirmed) {
      response.writeHead(409).end('{}');
      return;
    }
    if (method === 'DELETE') {
      bots = bots.filter((each) => each.id !== id);
      keys = keys.filter((each) => each.id !== id);
    }
    const answer =
      method === 'DELETE'
        ? { deleted: true }
        : act === 'halt'
          ? { confirmed }
          : (bot ?? (kind === 'keys' ? { keys } : { bots }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  };
});

const member = () => heron.signUp(`member-${names++}`);
const leave = (token: string, uid: number, payload = {}) =>
  heron.send('System.Member.deleteAccount', { uid, ...payload }, bearer(token));
const asked = () => host.requests.map(({ method, url }) => `${method} ${url}`);

async function ageOfProof(token: string, minutes: number): Promise<void> {
  await heron.database.pool.query(
    'update accounts.sessions set proven_at = now() - make_interval(mins => $1) where token_hash = $2',
    [minutes, hashToken(token)],
  );
}

async function rowOf(uid: number): Promise<{ deleted_at: Date | null } | undefined> {
  const { rows } = await heron.database.pool.query('select deleted_at from accounts.users where uid = $1', [uid]);
  return rows[0];
}

async function audited(uid: number): Promise<string[]> {
  const { rows } = await heron.database.pool.query(
    'select action from accounts.audit where target_uid = $1 order by id',
    [uid],
  );
  return rows.map(({ action }) => action);
}

test('users delete their account, which ends all access and clears the cookie', async () => {
  const { token, user } = await member();
  const other = await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
  expect(await leave(token, user.uid)).toMatchObject({ code: 0, cookie: 'heron_session=' });
  for (const each of [token, other.data.token ?? ''])
    expect(await heron.whoAmI(each)).toMatchObject({ error: 'not_logged_in' });
  expect(await audited(user.uid)).toEqual(['user.delete']);
  expect(await rowOf(user.uid)).toMatchObject({ deleted_at: expect.any(Date) });
});

test('a session without a fresh proof needs the password to delete the account', async () => {
  const { token, user } = await member();
  await ageOfProof(token, 31);
  expect(await leave(token, user.uid)).toMatchObject({ status: 403, error: 'proof_needed' });
  expect(await leave(token, user.uid, { password: 'not the password' })).toMatchObject({ error: 'password_wrong' });
  expect(asked()).toEqual([]);
  expect(await leave(token, user.uid, { password: PASSWORD })).toMatchObject({ code: 0 });
});

async function givenEmail(uid: number): Promise<string> {
  const email = `person${names++}@mail.example`;
  await heron.database.pool.query('update accounts.users set email = $1, email_key = $1 where uid = $2', [email, uid]);
  return email;
}

const askForCode = (token: string, payload = {}) => heron.send('System.Member.sendDeleteCode', payload, bearer(token));

test('a code deletes the account once, without a fresh proof', async () => {
  const { token, user } = await member();
  const email = await givenEmail(user.uid);
  await ageOfProof(token, 31);
  expect(await askForCode(token)).toMatchObject({ code: 0, data: { seconds: 120 } });
  const code = (await heron.codeFor(email)) ?? '';
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  expect(await leave(token, user.uid, { code: wrong })).toMatchObject({ error: 'code_wrong' });
  expect(asked()).toEqual([]);
  const answers = await Promise.all(Array.from({ length: 10 }, () => leave(token, user.uid, { code })));
  expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
  expect(await audited(user.uid)).toEqual(['user.delete']);
});

test('a deletion code is valid for one account and purpose only', async () => {
  const [own, other] = [await member(), await member()];
  const email = await givenEmail(own.user.uid);
  await ageOfProof(own.token, 31);
  await ageOfProof(other.token, 31);
  await askForCode(own.token);
  const code = (await heron.codeFor(email)) ?? '';
  expect(await leave(other.token, other.user.uid, { code })).toMatchObject({ error: 'contact_missing' });
  await heron.database.pool.query('update accounts.users set email = null, email_key = null where uid = $1', [
    own.user.uid,
  ]);
  await heron.database.pool.query('update accounts.users set email = $1, email_key = $1 where uid = $2', [
    email,
    other.user.uid,
  ]);
  expect(await leave(other.token, other.user.uid, { code })).toMatchObject({ error: 'code_wrong' });
  const check = { send_type: 'email', send_param: email, code };
  expect(await heron.send('System.Password.checkFindPasswordCode', check)).toMatchObject({ error: 'code_wrong' });
  expect(await heron.whoAmI(other.token)).toMatchObject({ code: 0 });
});

test('a user without address and number gets an error', async () => {
  const { token, user } = await member();
  expect(await askForCode(token)).toMatchObject({ status: 409, error: 'contact_missing' });
  await givenEmail(user.uid);
  expect(await askForCode(token, { type: 'sms' })).toMatchObject({ error: 'contact_missing' });
});

test('nobody deletes another account by its uid', async () => {
  const [own, victim] = [await member(), await member()];
  expect(await leave(own.token, victim.user.uid)).toMatchObject({ status: 403, error: 'forbidden' });
  expect(await heron.whoAmI(victim.token)).toMatchObject({ code: 0 });
});

test('running bots are stopped first, as their owner would stop them', async () => {
  const { token, user } = await member();
  bots = [
    { id: 'aaaaaa', mode: 'live', status: 'working' },
    { id: 'bbbbbb', mode: 'paper', status: 'ready' },
    { id: 'cccccc', mode: 'live', status: 'finished' },
    { id: 'dddddd', mode: 'live', status: 'error' },
  ];
  expect(await leave(token, user.uid)).toMatchObject({ code: 0 });
  expect(asked()).toEqual(
    expect.arrayContaining(['POST /bot/bots/aaaaaa/stop', 'POST /bot/bots/bbbbbb/stop', 'POST /bot/bots/dddddd/halt']),
  );
  expect(asked().join()).not.toContain('cccccc/');
  for (const { headers } of host.requests) {
    expect(headers).toMatchObject({ 'x-heron-user': String(user.id), authorization: `Heron ${SECRET}` });
  }
});

test('the deletion waits for a slow bot', async () => {
  const { token, user } = await member();
  bots = [{ id: 'aaaaaa', mode: 'live', status: 'working' }];
  stopped = 'stopping';
  const leaving = leave(token, user.uid);
  await until(() => asked().filter((line) => line === 'GET /bot/bots/aaaaaa').length >= 2);
  expect(await rowOf(user.uid)).toEqual({ deleted_at: null });
  bots = [{ id: 'aaaaaa', mode: 'live', status: 'finished' }];
  expect(await leaving).toMatchObject({ code: 0 });
});

test('when the bot host is down, nothing is deleted and an error is returned', async () => {
  const { token, user } = await member();
  await host.stop();
  const answer = await leave(token, user.uid);
  await host.start();
  expect(answer).toMatchObject({ status: 409, error: 'bots_not_stopped' });
  expect(answer.message).toContain('the account was not deleted');
  expect(answer.text).not.toContain('fetch failed');
  expect(loggedCauses(heron.log().split('\n'))).toContainEqual(['request could not be done', 40, 'fetch failed']);
  expect(await rowOf(user.uid)).toEqual({ deleted_at: null });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
  expect(await audited(user.uid)).toEqual([]);
});

/** Lists message, level and cause of log entries that have a cause. */
function loggedCauses(lines: readonly string[]): unknown[] {
  return lines
    .filter((line) => line.includes('"cause"'))
    .map((line) => JSON.parse(line))
    .map(({ msg, level, err }) => [msg, level, err.cause.message]);
}

test('when the exchange does not confirm the cancellation, nothing is deleted', async () => {
  const { token, user } = await member();
  bots = [{ id: 'aaaaaa', mode: 'live', status: 'error' }];
  confirmed = false;
  expect(await leave(token, user.uid)).toMatchObject({ status: 409, error: 'bots_not_stopped' });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
});

test('a bot that starts at the last moment and does not stop restores the account', async () => {
  const { token, user } = await member();
  let lists = 0;
  const { respond } = host;
  host.respond = (request, response, raw) => {
    if (request.url === '/bot/bots' && ++lists === 2) bots = [{ id: 'aaaaaa', mode: 'live', status: 'error' }];
    confirmed = false;
    respond(request, response, raw);
  };
  expect(await leave(token, user.uid)).toMatchObject({ status: 409, error: 'bots_not_stopped' });
  expect(await rowOf(user.uid)).toEqual({ deleted_at: null });
  expect(await audited(user.uid)).toEqual(['user.delete', 'user.restore']);
  expect(await heron.send('System.Login.login', { username: user.username, password: PASSWORD })).toMatchObject({
    code: 1,
  });
});

/** Starts another platform on the same database, as after a restart or on another node. */
const another = (clientDir = heron.clientDir, observe: Parameters<typeof startPlatform>[1] = { eraseEveryMs: 20 }) =>
  startPlatform(
    {
      databaseUrl: heron.databaseUrl,
      host: '127.0.0.1',
      port: 0,
      bothostUrl: host.url,
      secret: SECRET,
      logLevel: observe.log === undefined ? 'silent' : 'trace',
      clientDir,
    },
    observe,
  );

const deletedFor = (uid: number, days: number) =>
  heron.database.pool.query('update accounts.users set deleted_at = now() - make_interval(secs => $1) where uid = $2', [
    days * 86_400,
    uid,
  ]);

test('a deleted account is erased once after 14 days; the audit log stays', async () => {
  const { token, user } = await member();
  const young = await member();
  await heron.send('System.Device.remember', {}, bearer(token));
  bots = [{ id: 'aaaaaa', mode: 'paper', status: 'finished' }];
  const key = randomUUID();
  keys = [{ id: key }];
  await deletedFor(user.uid, 14.1);
  await deletedFor(young.user.uid, 13.9);
  const nodes = await Promise.all([another(), another(), another()]);
  await until(async () => (await rowOf(user.uid)) === undefined);
  for (const node of nodes) await node.close();
  expect(asked()).toEqual(expect.arrayContaining(['DELETE /bot/bots/aaaaaa?orders=cancel', `DELETE /bot/keys/${key}`]));
  expect(await audited(user.uid)).toEqual(['user.erase']);
  const { rows } = await heron.database.pool.query(
    'select 1 from accounts.sessions where user_id = $1 union all select 1 from accounts.devices where user_id = $1',
    [user.id],
  );
  expect(rows).toEqual([]);
  expect(await rowOf(young.user.uid)).toBeDefined();
  // The name is free again.
  expect((await heron.signUp(user.username ?? '')).user.uid).not.toBe(user.uid);
});

test('the job retries within seconds while the bot host starts, without warnings', async () => {
  const { user } = await member();
  await deletedFor(user.uid, 15);
  await host.stop();
  const lines: string[] = [];
  const node = await another(heron.clientDir, { log: { write: (line) => void lines.push(line) } });
  await until(() => lines.some((line) => line.includes('a deleted account could not be erased yet')));
  await host.start();
  await until(async () => (await rowOf(user.uid)) === undefined);
  await node.close();
  expect(lines.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
});

test('a lasting failure of an erasure is logged as a warning with its cause', async () => {
  const { user } = await member();
  await deletedFor(user.uid, 15);
  await host.stop();
  const lines: string[] = [];
  const node = await another(heron.clientDir, { eraseEveryMs: 20, log: { write: (line) => void lines.push(line) } });
  const warned = ['a deleted account could not be erased yet', 40, 'fetch failed'];
  await until(() => loggedCauses(lines).some((logged) => JSON.stringify(logged) === JSON.stringify(warned)));
  await node.close();
  await host.start();
});

test('the next round stops bots that an interrupted deletion has left running', async () => {
  const [cut, other] = [await member(), await member()];
  bots = [{ id: 'aaaaaa', mode: 'live', status: 'working' }];
  await deletedFor(cut.user.uid, 0.01);
  const node = await another();
  await until(() => bots[0]?.status === 'finished');
  await node.close();
  expect(host.requests.every(({ headers }) => headers['x-heron-user'] === String(cut.user.id))).toBe(true);
  expect(await heron.whoAmI(other.token)).toMatchObject({ code: 0 });
});

test('addresses of an erased user are removed from the audit log', async () => {
  const { token, user } = await member();
  const { user: visitor } = await member();
  await heron.send('System.Session.endOthers', {}, bearer(token));
  const write = (actor: number | null, target: number, action: string, address: string) =>
    heron.database.pool.query(
      'insert into accounts.audit (actor_uid, target_uid, action, address) values ($1, $2, $3, $4)',
      [actor, target, action, address],
    );
  await write(null, user.uid, 'password.reset', '192.0.2.7');
  await write(null, user.uid, 'user.restore', 'command line');
  await write(visitor.uid, user.uid, 'user.delete', '192.0.2.8');
  await deletedFor(user.uid, 15);
  const node = await another();
  await until(async () => (await rowOf(user.uid)) === undefined);
  await node.close();
  const { rows } = await heron.database.pool.query(
    'select action, address from accounts.audit where target_uid = $1 order by id',
    [user.uid],
  );
  expect(rows).toEqual([
    { action: 'sessions.end', address: '' },
    { action: 'password.reset', address: '' },
    { action: 'user.restore', address: 'command line' },
    { action: 'user.delete', address: '192.0.2.8' },
    { action: 'user.erase', address: '' },
  ]);
});

test('an unreachable exchange delays an erasure by a week at most', async () => {
  const { user } = await member();
  bots = [{ id: 'aaaaaa', mode: 'live', status: 'error' }];
  confirmed = false;
  await deletedFor(user.uid, 20.9);
  const node = await another();
  await until(() => asked().includes('DELETE /bot/bots/aaaaaa?orders=cancel'));
  expect(await rowOf(user.uid)).toBeDefined();
  await deletedFor(user.uid, 21.1);
  await until(async () => (await rowOf(user.uid)) === undefined);
  expect(asked()).toContain('DELETE /bot/bots/aaaaaa?orders=leave');
  await node.close();
});

test('an account whose bot cannot stop is retried and delays no other', async () => {
  const [stuck, gone] = [await member(), await member()];
  await deletedFor(stuck.user.uid, 20);
  await deletedFor(gone.user.uid, 15);
  const { respond } = host;
  let broken = true;
  host.respond = (request, response, raw) => {
    if (broken && request.headers['x-heron-user'] === String(stuck.user.id)) response.writeHead(503).end();
    else respond(request, response, raw);
  };
  const node = await another();
  await until(async () => (await rowOf(gone.user.uid)) === undefined);
  expect(await rowOf(stuck.user.uid)).toBeDefined();
  broken = false;
  await until(async () => (await rowOf(stuck.user.uid)) === undefined);
  await node.close();
});
