import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../src/platform.ts';
import { PASSWORD, requestAt, SECRET, startTestPlatform, type TestPlatform } from './testPlatform.ts';

/** Two platforms share one database. */
let heron: TestPlatform;
let second: Platform;
beforeAll(async () => {
  heron = await startTestPlatform();
  second = await another();
  await heron.signUp('Twofold');
});
afterAll(async () => {
  await second.close();
  await heron.stop();
});
beforeEach(() => heron.resetRateLimits());

function another(): Promise<Platform> {
  return startPlatform({
    databaseUrl: heron.databaseUrl,
    host: '127.0.0.1',
    port: 0,
    bothostUrl: 'http://127.0.0.1:1',
    secret: SECRET,
    clientDir: heron.clientDir,
    logLevel: 'silent',
  });
}

async function sendTo({ url }: { url: string }, method: string, payload: object = {}, headers = {}) {
  const { status, text } = await requestAt(url, '/api.php', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ method, ...payload }),
  });
  const { code, data, error } = JSON.parse(text);
  return { status, code, data: JSON.parse(data), error: error?.code ?? null };
}

const login = (at: { url: string }, password: string) =>
  sendTo(at, 'System.Login.login', { username: 'Twofold', password });

test('wrong passwords at all platforms share one count', async () => {
  for (const at of [heron.platform, second, heron.platform, second, heron.platform])
    expect(await login(at, 'wrong one')).toMatchObject({ error: 'login_failed' });
  for (const at of [heron.platform, second])
    expect(await login(at, PASSWORD)).toMatchObject({ status: 429, error: 'too_many_requests' });
});

test('of a hundred concurrent guesses at two platforms, five are checked', async () => {
  const guesses = Array.from({ length: 100 }, (_, n) => login(n % 2 === 0 ? heron.platform : second, `guess ${n}`));
  const answers = await Promise.all(guesses);
  expect(answers.filter(({ error }) => error === 'login_failed')).toHaveLength(5);
  expect(answers.filter(({ error }) => error === 'too_many_requests')).toHaveLength(95);
});

test('a restart keeps all counts', async () => {
  for (let tries = 0; tries < 6; tries++) await login(second, 'wrong one');
  await second.close();
  second = await another();
  expect(await login(second, PASSWORD)).toMatchObject({ status: 429, error: 'too_many_requests' });
});

test('a code is sent once in two minutes by all platforms', async () => {
  const ask = (at: { url: string }) => sendTo(at, 'System.Login.sendMobileCode', { mobile: '13912345678' });
  const answers = await Promise.all([heron.platform, second, heron.platform, second].map(ask));
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'code_too_soon')).toHaveLength(3);
});

test('a session that ends at one platform is invalid at the other at once', async () => {
  for (let round = 0; round < 20; round++) {
    const { data } = await login(heron.platform, PASSWORD);
    const headers = { authorization: `Bearer ${data.token}` };
    const check = () => sendTo(second, 'System.Member.authentication', {}, headers);
    const before = await Promise.all([check(), check(), check()]);
    expect(before.map(({ code }) => code)).toEqual([0, 0, 0]);
    await sendTo(heron.platform, 'System.Login.logout', {}, headers);
    expect(await check()).toMatchObject({ status: 401, error: 'not_logged_in' });
  }
});

test('two platforms that record the use of the same sessions do not deadlock', async () => {
  const tokens: unknown[] = [];
  for (let n = 0; n < 20; n++) tokens.push((await login(heron.platform, PASSWORD)).data.token);
  for (let round = 0; round < 10; round++) {
    await heron.database.pool.query(`update accounts.sessions set used_at = now() - interval '1 hour'`);
    const checks = [...tokens, ...tokens.toReversed()].map((token, n) =>
      sendTo(n < tokens.length ? heron.platform : second, 'System.Member.authentication', { token }),
    );
    for (const { code } of await Promise.all(checks)) expect(code).toBe(0);
    const { rows } = await heron.database.pool.query(
      `select count(*)::int as stale from accounts.sessions where used_at < now() - interval '30 minutes'`,
    );
    expect(rows[0].stale).toBeLessThanOrEqual(1);
  }
});
