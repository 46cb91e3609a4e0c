import { describe, expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';
import { PASSWORD, startTestPlatform } from './testPlatform.ts';

const heron = platformFixture();
let people = 0;

const address = () => `person${people++}@mail.example`;
const ask = (email: string) => heron.send('System.Register.sendRegisterEmailCode', { email });
const check = (email: string, code: string) => heron.send('System.Register.CheckRegisterEmailCode', { email, code });
const register = (email: string, code: string, password = PASSWORD) =>
  heron.send('System.Register.emailRegister', { email, password, email_code: code });
/** Returns six digits that are not the code. */
const wrong = (code: string, n = 1) => String((Number(code) + n) % 1_000_000).padStart(6, '0');
async function sent(email: string): Promise<string> {
  expect(await ask(email)).toMatchObject({ status: 200, code: 0, data: { seconds: 120, sent: false } });
  const code = await heron.codeFor(email);
  if (code === null) throw new Error('nothing was sent');
  return code;
}
const pass = (column: 'sent_at' | 'expires_at', email: string, seconds: number) =>
  heron.database.pool.query(
    `update accounts.codes set ${column} = ${column} - make_interval(secs => $1) where target = $2`,
    [seconds, email],
  );

test('a code has six digits, accepts spaces, and can be checked repeatedly', async () => {
  const email = address();
  const code = await sent(email);
  expect(code).toMatch(/^\d{6}$/);
  for (const typed of [
    code,
    ` ${code} `,
    `${code.slice(0, 3)} ${code.slice(3)}`,
    `${code.slice(0, 3)}-${code.slice(3)}`,
    String.fromCodePoint(...[...code].map((digit) => 0xff10 + Number(digit))),
    code,
    code,
    code,
  ]) {
    expect(await check(email, typed)).toMatchObject({ status: 200, code: 0 });
  }
  expect(await register(email, code)).toMatchObject({ code: 0, data: { user_info: { user_email: email } } });
});

test.each([
  ['', 'code_empty'],
  ['  ', 'code_empty'],
  ['12345', 'code_wrong'],
  ['1234567', 'code_wrong'],
  ['abcdef', 'code_wrong'],
  ['1'.repeat(100_000), 'code_wrong'],
  ["' or 1=1", 'code_wrong'],
  ['\u0000', 'code_wrong'],
])('the code %j is rejected as %s', async (typed, error) => {
  const email = address();
  await sent(email);
  expect(await check(email, typed.slice(0, 1_000))).toMatchObject({ status: 422, error });
});

test('wrong, expired, used and missing codes get the same error', async () => {
  const [never, old, used, guessed] = [address(), address(), address(), address()];
  const oldCode = await sent(old);
  await pass('expires_at', old, 600);
  const usedCode = await sent(used);
  await register(used, usedCode);
  const answers = [
    await check(never, '123456'),
    await check(old, oldCode),
    await check(used, usedCode),
    await check(guessed, wrong(await sent(guessed))),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 422, code: -422, error: 'code_wrong' });
    expect(answer.text).toBe(answers[0]?.text);
  }
});

test('a code expires after ten minutes', async () => {
  const email = address();
  const code = await sent(email);
  await pass('expires_at', email, 595);
  expect(await check(email, code)).toMatchObject({ code: 0 });
  await pass('expires_at', email, 5);
  expect(await check(email, code)).toMatchObject({ error: 'code_wrong' });
  expect(await register(email, code)).toMatchObject({ error: 'code_wrong' });
});

test('after five wrong tries even the correct code is rejected', async () => {
  const email = address();
  const code = await sent(email);
  for (let n = 1; n <= 4; n++) expect(await check(email, wrong(code, n))).toMatchObject({ error: 'code_wrong' });
  expect(await check(email, code)).toMatchObject({ code: 0 });
  expect(await register(email, wrong(code, 5))).toMatchObject({ error: 'code_wrong' });
  expect(await check(email, code)).toMatchObject({ error: 'code_wrong' });
  expect(await register(email, code)).toMatchObject({ error: 'code_wrong' });
});

test('of a hundred concurrent guesses, five are checked', async () => {
  const email = address();
  const code = await sent(email);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? check : register)(email, wrong(code, n + 1))),
  );
  expect(answers.every(({ status }) => status === 422 || status === 429)).toBe(true);
  const { rows } = await heron.database.pool.query('select tries from accounts.codes where target = $1', [email]);
  expect(rows).toEqual([{ tries: 5 }]);
  await heron.resetRateLimits();
  expect(await check(email, code)).toMatchObject({ error: 'code_wrong' });
});

test('a resend gives new tries, but at most fifteen wrong ones a day', async () => {
  const email = address();
  let code = '';
  for (let round = 0; round < 3; round++) {
    const before = code;
    code = await sent(email);
    if (before !== '' && before !== code) expect(await check(email, before)).toMatchObject({ error: 'code_wrong' });
    const left = before !== '' && before !== code ? 4 : 5;
    for (let n = 1; n <= left; n++) expect(await check(email, wrong(code, n))).toMatchObject({ error: 'code_wrong' });
    await heron.expireResendDelay();
  }
  code = await sent(email);
  const refused = await check(email, code);
  expect(refused).toMatchObject({ status: 429, error: 'too_many_requests' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
  expect(await register(email, code)).toMatchObject({ error: 'too_many_requests' });
  await heron.database.pool.query('update accounts.rate_limits set expire = expire - 86400000');
  expect(await register(email, code)).toMatchObject({ code: 0 });
});

test('guesses from many addresses get no further tries', async () => {
  const open = await startTestPlatform({ trustedProxies: ['127.0.0.1'] });
  const email = address();
  await open.send('System.Register.sendRegisterEmailCode', { email });
  const code = (await open.codeFor(email)) ?? '';
  const from = (n: number, typed: string) =>
    open.send(
      'System.Register.CheckRegisterEmailCode',
      { email, code: typed },
      { 'x-forwarded-for': `198.51.100.${n}` },
    );
  for (let n = 1; n <= 5; n++) expect(await from(n, wrong(code, n))).toMatchObject({ error: 'code_wrong' });
  expect(await from(99, code)).toMatchObject({ error: 'code_wrong' });
  await open.stop();
});

test('guesses without a sent code do not lock anybody out', async () => {
  const email = address();
  for (let n = 0; n < 20; n++) expect(await check(email, '123456')).toMatchObject({ error: 'code_wrong' });
  const code = await sent(email);
  for (let n = 1; n <= 5; n++) await check(email, wrong(code, n));
  for (let n = 0; n < 20; n++) expect(await check(email, code)).toMatchObject({ error: 'code_wrong' });
  await heron.expireResendDelay();
  expect(await register(email, await sent(email))).toMatchObject({ code: 0 });
});

test('one address cannot guess the codes of all recipients', async () => {
  for (let n = 0; n < 100; n++) expect(await check(address(), '123456')).toMatchObject({ error: 'code_wrong' });
  expect(await check(address(), '123456')).toMatchObject({ status: 429, error: 'too_many_requests' });
});

test('120 seconds must pass between two codes, also for concurrent requests', async () => {
  const email = address();
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(email)));
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  const refused = answers.filter(({ error }) => error === 'code_too_soon');
  expect(refused).toHaveLength(9);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(110);
  const { rows } = await heron.database.pool.query('select count(*) from accounts.outbox where recipient = $1', [
    email,
  ]);
  expect(rows).toEqual([{ count: '1' }]);
  await pass('sent_at', email, 110);
  const soon = await ask(email);
  expect(soon.message).toMatch(/in (9|10) s/);
  await pass('sent_at', email, 10);
  expect(await ask(email)).toMatchObject({ code: 0 });
});

test('messages are limited per recipient and per address', async () => {
  const email = address();
  for (let n = 0; n < 20; n++) {
    await sent(email);
    await heron.expireResendDelay();
  }
  expect(await ask(email)).toMatchObject({ status: 429, error: 'too_many_requests' });
  for (let n = 0; n < 39; n++) await sent(address());
  expect(await ask(address())).toMatchObject({ status: 429, error: 'too_many_requests' });
});

test('one of ten concurrent registrations with one code succeeds', async () => {
  const email = address();
  const code = await sent(email);
  const answers = await Promise.all(Array.from({ length: 10 }, () => register(email, code)));
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'code_wrong')).toHaveLength(9);
  const { rows } = await heron.database.pool.query('select count(*) from accounts.users where email = $1', [email]);
  expect(rows).toEqual([{ count: '1' }]);
});

test('a rejected password leaves the code valid', async () => {
  const email = address();
  const code = await sent(email);
  expect(await register(email, code, 'short')).toMatchObject({ error: 'password_too_short' });
  expect(await register(email, code, '')).toMatchObject({ error: 'password_empty' });
  expect(await register(email, code)).toMatchObject({ code: 0 });
});

describe('a code is not valid', () => {
  test('for another address', async () => {
    const [own, others] = [address(), address()];
    const code = await sent(own);
    await sent(others);
    expect(await register(others, code)).toMatchObject({ error: 'code_wrong' });
  });

  test('for another purpose, even when its row is moved', async () => {
    const email = address();
    const code = await sent(email);
    const recover = () =>
      heron.send('System.Password.checkFindPasswordCode', { send_type: 'email', send_param: email, code });
    expect(await recover()).toMatchObject({ error: 'code_wrong' });
    await heron.database.pool.query(`update accounts.codes set purpose = 'recover' where target = $1`, [email]);
    expect(await recover()).toMatchObject({ error: 'code_wrong' });
  });

  test('except for other spellings of the same address', async () => {
    const email = address();
    const code = await sent(email);
    expect(await check(email.toUpperCase(), code)).toMatchObject({ code: 0 });
  });
});

test('neither code nor message is readable in the database or the log', async () => {
  const email = address();
  const code = await sent(email);
  await check(email, code);
  const kept = await Promise.all(
    ['codes', 'outbox', 'rate_limits'].map((table) =>
      heron.database.pool.query(`select to_jsonb(row) - 'id' as row from accounts.${table} row`),
    ),
  );
  expect(JSON.stringify(kept.map(({ rows }) => rows))).not.toContain(code);
  expect(kept[0]?.rows.find(({ row }) => row.target === email).row.code_hmac).toMatch(/^[0-9a-f]{64}$/);
  expect(heron.log()).not.toContain(code);
  expect(heron.log()).not.toContain(email);
});
