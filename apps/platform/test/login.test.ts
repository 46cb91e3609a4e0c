import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { compareTimes } from './compareTimes.ts';
import { type MethodResult, PASSWORD, startTestPlatform, type TestPlatform } from './testPlatform.ts';

let heron: TestPlatform;
beforeAll(async () => {
  heron = await startTestPlatform();
  await heron.signUp('Bertha');
});
afterAll(() => heron.stop());
beforeEach(() => heron.resetRateLimits());

const login = (username: string, password = PASSWORD, more = {}) =>
  heron.send('System.Login.login', { username, password, ...more });

/** Advances the rate limits by this many seconds. */
const wait = (seconds: number) =>
  heron.database.pool.query('update accounts.rate_limits set expire = expire - $1', [seconds * 1_000]);

test('a login returns code 1 and a token, by name in any case or by uid', async () => {
  const byName = await login('bErTha');
  expect(byName).toMatchObject({ status: 200, code: 1, data: { token: expect.stringMatching(/^[\w-]{43}$/) } });
  const byUid = await login(String(byName.data.user_info?.uid));
  expect(byUid).toMatchObject({ code: 1, data: { user_info: { username: 'Bertha' } } });
});

test('a browser that requests a cookie gets no token', async () => {
  const { data, headers } = await login('Bertha', PASSWORD, { session: 'cookie' });
  expect(data).toEqual({ user_info: expect.anything() });
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^heron_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/),
  ]);
});

test('a wrong password and an unknown account get the same error', async () => {
  const wrong = await login('Bertha', 'not the password');
  const unknown = await login('nobody-here', 'not the password');
  expect(wrong).toMatchObject({ status: 401, code: -401, error: 'login_failed', data: null });
  expect(wrong.text).toBe(unknown.text);
  for (const [name, value] of Object.entries(wrong.headers)) {
    if (name !== 'date') expect(unknown.headers[name]).toEqual(value);
  }
});

test('a wrong password and an unknown account take equally long over 200 tries', async () => {
  const ratio = await compareTimes(200, () => heron.resetRateLimits(), [
    () => login('Bertha', 'not the password'),
    () => login('nobody-here', 'not the password'),
  ]);
  // Without a hash for unknown accounts, their response would take less than half of the time.
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.25);
}, 300_000);

test('a login renews a hash with older parameters', async () => {
  await heron.signUp('Oldhash');
  const kept = async () =>
    (await heron.database.pool.query(`select password_hash from accounts.users where username = 'Oldhash'`)).rows[0]
      .password_hash;
  const older = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await heron.database.pool.query(`update accounts.users set password_hash = $1 where username = 'Oldhash'`, [older]);
  expect(await login('Oldhash', 'not the password')).toMatchObject({ error: 'login_failed' });
  expect(await kept()).toBe(older);
  expect(await login('Oldhash')).toMatchObject({ code: 1 });
  const renewed = await kept();
  expect(renewed).toMatch(/^\$argon2id\$v=19\$m=7168,t=5,p=1\$/);
  expect(await login('Oldhash')).toMatchObject({ code: 1 });
  expect(await kept()).toBe(renewed);
});

test.each([
  ['', PASSWORD, 'account_empty'],
  ['  ', PASSWORD, 'account_empty'],
  ['Bertha', '', 'password_empty'],
  ['Bertha', 'x'.repeat(5_000), 'login_failed'],
  ['Ber\u0000tha', PASSWORD, 'login_failed'],
  ["' or 1=1 --", PASSWORD, 'login_failed'],
  ['y'.repeat(5_000), PASSWORD, 'login_failed'],
  ['999999999', PASSWORD, 'login_failed'],
])('a login as %j is rejected: %s', async (username, password, error) => {
  expect(await login(username, password)).toMatchObject({ error });
});

test('an old name like a phone number works until an account has that phone', async () => {
  await heron.signUp('hyphens');
  await heron.database.pool.query(
    `update accounts.users set username = '139-0013-9000', username_key = '139-0013-9000' where username = 'hyphens'`,
  );
  expect(await login('139-0013-9000')).toMatchObject({ code: 1, data: { user_info: { username: '139-0013-9000' } } });
  await heron.signUp('phoned');
  await heron.database.pool.query(`update accounts.users set phone = '13900139000' where username = 'phoned'`);
  expect(await login('139-0013-9000')).toMatchObject({ code: 1, data: { user_info: { username: 'phoned' } } });
});

test('delays after five wrong passwords double up to 15 minutes', async () => {
  const pauses: number[] = [];
  for (let round = 0; round < 7; round++) {
    for (let tries = 0; tries < 5; tries++)
      expect(await login('Bertha', 'wrong one')).toMatchObject({ error: 'login_failed' });
    const refused = await login('Bertha');
    expect(refused).toMatchObject({ status: 429, code: -429, error: 'too_many_requests' });
    pauses.push(Number(refused.headers['retry-after']));
    expect(await login('Bertha')).toMatchObject({ error: 'too_many_requests' });
    await wait(pauses.at(-1) ?? 0);
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900]);
  expect(await login('Bertha')).toMatchObject({ code: 1 });
  // The correct password has reset the number of failures.
  for (let tries = 0; tries < 5; tries++) await login('Bertha', 'wrong one');
  expect(Number((await login('Bertha')).headers['retry-after'])).toBe(30);
});

test('of a hundred concurrent guesses, five are checked', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => login('Bertha', `guess number ${n}`)));
  expect(answers.filter(({ error }) => error === 'login_failed')).toHaveLength(5);
  expect(answers.filter(({ error }) => error === 'too_many_requests')).toHaveLength(95);
});

test('an unknown account is throttled like a known one', async () => {
  for (let tries = 0; tries < 5; tries++) await login('nobody-here', 'wrong one');
  expect(await login('NOBODY-here', 'wrong one')).toMatchObject({ error: 'too_many_requests' });
});

test('delays do not reveal whether a number belongs to an account', async () => {
  const { user } = await heron.signUp('Spelled');
  await heron.database.pool.query(`update accounts.users set phone = '13700137000' where username = 'Spelled'`);
  const spellings = (phone: string) => [
    phone,
    `+86${phone}`,
    `0086 ${phone}`,
    ` ${phone.slice(0, 3)} ${phone.slice(3)}`,
    `${phone.slice(0, 3)}-${phone.slice(3)}`,
    `+86 ${phone}`,
  ];
  for (const phone of ['13700137000', '13700137001']) {
    const errors: (string | null)[] = [];
    for (const spelling of spellings(phone)) errors.push((await login(spelling, 'wrong one')).error);
    expect(errors).toEqual([...Array(5).fill('login_failed'), 'too_many_requests']);
  }
  await heron.resetRateLimits();
  for (let tries = 0; tries < 5; tries++) await login(String(user.uid), 'wrong one');
  expect(await login('13700137000', 'wrong one')).toMatchObject({ error: 'login_failed' });
});

test('guesses of strangers never slow down the owner at a known address', async () => {
  await heron.stop();
  heron = await startTestPlatform({ trustedProxies: ['127.0.0.1'] });
  await heron.signUp('Bertha');
  const from = (address: string, password = PASSWORD) =>
    heron.send('System.Login.login', { username: 'Bertha', password }, { 'x-forwarded-for': address });
  expect(await from('192.0.2.1')).toMatchObject({ code: 1 });
  for (let n = 0; n < 50; n++)
    expect(await from(`198.51.100.${n}`, 'wrong one')).toMatchObject({ error: 'login_failed' });
  expect(await from('203.0.113.5')).toMatchObject({ error: 'too_many_requests' });
  expect(await from('192.0.2.1')).toMatchObject({ code: 1 });
  await wait(30);
  expect(await from('203.0.113.5')).toMatchObject({ code: 1 });
});

test('four identifiers of an account allow no more guesses than one', async () => {
  await heron.stop();
  heron = await startTestPlatform({ trustedProxies: ['127.0.0.1'] });
  const from = (address: string, username: string, password = PASSWORD) =>
    heron.send('System.Login.login', { username, password }, { 'x-forwarded-for': address });
  const { user } = await heron.signUp('Fourfold');
  await heron.database.pool.query(
    `update accounts.users set phone = '13600136000', email = 'four@example.com', email_key = 'four@example.com' where username = 'Fourfold'`,
  );
  expect(await from('192.0.2.1', 'Fourfold')).toMatchObject({ code: 1 });
  const names = ['Fourfold', String(user.uid), '13600136000', 'four@example.com'];
  const answers: MethodResult[] = [];
  for (let n = 0; n < 52; n++) answers.push(await from(`198.51.100.${n}`, names[n % 4] ?? '', 'wrong one'));
  expect(new Set(answers.map(({ text }) => text))).toHaveLength(1);
  expect(answers[0]).toMatchObject({ error: 'login_failed' });
  // A correct guess gets the same response as a wrong one, by every identifier.
  for (const name of names) expect((await from('203.0.113.5', name)).text).toBe(answers[0]?.text);
  expect(await from('192.0.2.1', 'four@example.com')).toMatchObject({ code: 1 });
  await wait(30);
  expect(await from('203.0.113.5', '13600136000')).toMatchObject({ code: 1 });
});

test('an address of a registration or reset stays usable during guesses', async () => {
  await heron.stop();
  heron = await startTestPlatform({ trustedProxies: ['127.0.0.1'] });
  const email = 'besieged@example.com';
  const send = (address: string, method: string, payload: object) =>
    heron.send(method, payload, { 'x-forwarded-for': address });
  const besiege = async () => {
    for (let n = 0; n < 51; n++)
      await send(`198.51.100.${n}`, 'System.Login.login', { username: 'Besieged', password: 'wrong one' });
  };
  const attempt = (address: string, password: string) =>
    send(address, 'System.Login.login', { username: 'Besieged', password });
  await send('192.0.2.1', 'System.Register.usernameRegister', { username: 'Besieged', password: PASSWORD });
  await heron.database.pool.query(`update accounts.users set email = $1, email_key = $1 where username = 'Besieged'`, [
    email,
  ]);
  await besiege();
  expect(await attempt('192.0.2.2', PASSWORD)).toMatchObject({ error: 'too_many_requests' });
  expect(await attempt('192.0.2.1', PASSWORD)).toMatchObject({ code: 1 });
  await send('192.0.2.2', 'System.Password.sendFindPasswordCode', { send_param: email, type: 'email' });
  const reset = {
    account: email,
    type: 'email',
    password: 'another heron stands 5',
    app_code: await heron.codeFor(email),
  };
  expect(await send('192.0.2.2', 'System.Password.passwordReset', reset)).toMatchObject({ code: 1 });
  expect(await attempt('192.0.2.2', 'another heron stands 5')).toMatchObject({ code: 1 });
});

test('a forged forwarding header gives no further tries', async () => {
  await heron.stop();
  heron = await startTestPlatform();
  await heron.signUp('Bertha');
  const answers: MethodResult[] = [];
  for (let n = 0; n < 6; n++) {
    const forged = {
      'x-forwarded-for': `198.51.100.${n}`,
      'x-real-ip': `198.51.100.${n}`,
      forwarded: `for=198.51.100.${n}`,
    };
    answers.push(await heron.send('System.Login.login', { username: 'Bertha', password: 'wrong one' }, forged));
  }
  expect(answers.at(-1)).toMatchObject({ error: 'too_many_requests' });
});
