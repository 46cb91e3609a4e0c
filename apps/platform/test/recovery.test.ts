import { describe, expect, test } from 'vitest';
import { compareTimes } from './compareTimes.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, type HttpResponse, PASSWORD, until } from './testPlatform.ts';

const heron = platformFixture();
const NEW_PASSWORD = 'heron flies away 42';
let people = 0;

const address = () => `person${people++}@mail.example`;
const login = (username: string, password: string) => heron.send('System.Login.login', { username, password });
const find = (info: string, type = 'email') => heron.send('System.Password.findPassword', { info, type });
const ask = (send_param: string, type = 'email') =>
  heron.send('System.Password.sendFindPasswordCode', { send_param, type });
const check = (send_param: string, code: string, send_type = 'email') =>
  heron.send('System.Password.checkFindPasswordCode', { send_param, send_type, code });
const reset = (account: string, evidence: { app_code?: string; ticket?: string }, more = {}) =>
  heron.send('System.Password.passwordReset', {
    account,
    password: NEW_PASSWORD,
    type: 'email',
    ...evidence,
    ...more,
  });

/** Registers a user by e-mail. */
async function member(): Promise<{ email: string; token: string; uid: number }> {
  const email = address();
  await heron.send('System.Register.sendRegisterEmailCode', { email });
  const { data } = await heron.send('System.Register.emailRegister', {
    email,
    password: PASSWORD,
    email_code: await heron.codeFor(email),
  });
  return { email, token: data.token ?? '', uid: data.user_info?.uid ?? 0 };
}

async function code(email: string): Promise<string> {
  expect(await ask(email)).toMatchObject({ status: 200, code: 0, data: { seconds: 120 } });
  return (await heron.codeFor(email)) ?? '';
}

async function ticket(email: string): Promise<string> {
  const { data } = await check(email, await code(email));
  return String(data.ticket);
}

test('a ticket resets the password after identification and check', async () => {
  const { email } = await member();
  expect(await find(email)).toMatchObject({ code: 0, data: { info: email, type: 'email' } });
  const held = await ticket(email);
  expect(held).toMatch(/^[\w-]{43}$/);
  expect(await reset(email, { ticket: held })).toMatchObject({ status: 200, code: 1, data: {} });
  expect(await login(email, NEW_PASSWORD)).toMatchObject({ code: 1 });
  expect(await login(email, PASSWORD)).toMatchObject({ error: 'login_failed' });
});

test('the code resets the password, checked before or not', async () => {
  const { email } = await member();
  const typed = await code(email);
  await check(email, typed);
  expect(await reset(email, { app_code: typed })).toMatchObject({ code: 1 });
  expect(await login(email, NEW_PASSWORD)).toMatchObject({ code: 1 });
});

test('a phone number resets the password too', async () => {
  const mobile = '13811112222';
  await heron.send('System.Login.sendMobileCode', { mobile });
  await heron.send('System.Login.mobileLogin', { mobile, sms_captcha: await heron.codeFor(mobile) });
  expect(await find(mobile, 'mobile')).toMatchObject({ data: { info: mobile, type: 'mobile' } });
  expect(await ask(mobile, 'sms')).toMatchObject({ code: 0 });
  const checked = await check(mobile, (await heron.codeFor(mobile)) ?? '', 'sms');
  const held = { ticket: String(checked.data.ticket) };
  expect(await reset(mobile, held, { type: 'mobile' })).toMatchObject({ code: 1 });
  expect(await login(mobile, NEW_PASSWORD)).toMatchObject({ code: 1 });
});

test('a reset ends all access to this account only, and starts no session', async () => {
  const [victim, stranger] = [await member(), await member()];
  const other = await login(victim.email, PASSWORD);
  const device = await heron.send('System.Device.remember', {}, bearer(other.data.token));
  const done = await heron.send(
    'System.Password.passwordReset',
    { account: victim.email, password: NEW_PASSWORD, type: 'email', ticket: await ticket(victim.email) },
    { cookie: `heron_session=${victim.token}` },
  );
  expect(done).toMatchObject({ code: 1, data: {}, cookie: 'heron_session=' });
  for (const token of [victim.token, other.data.token]) {
    expect(await heron.whoAmI(token)).toMatchObject({ error: 'not_logged_in' });
  }
  expect(await heron.send('System.Device.login', { basepass: device.data.basepass })).not.toMatchObject({
    status: 200,
  });
  expect(await heron.whoAmI(stranger.token)).toMatchObject({ code: 0 });
});

test('a reset is audited without the password', async () => {
  const { email, uid } = await member();
  await reset(email, { ticket: await ticket(email) });
  const { rows } = await heron.database.pool.query('select * from accounts.audit where target_uid = $1', [uid]);
  expect(rows).toEqual([
    expect.objectContaining({
      action: 'password.reset',
      actor_uid: null,
      address: '127.0.0.1',
      details: { disabled: 0 },
    }),
  ]);
});

test('the owner gets an alert in the language of the caller', async () => {
  const { email } = await member();
  const held = await ticket(email);
  await reset(email, { ticket: held }, { lang: 'zh' });
  await until(async () => (await heron.mailsFor(email))[0] === '苍鹭账号的密码已更改');
});

test('a reset does not replace the second factor', async () => {
  const { email, uid } = await member();
  await heron.database.pool.query(
    `insert into accounts.totps (user_id, sealed_secret, confirmed_at)
     select id, 'sealed', now() from accounts.users where uid = $1`,
    [uid],
  );
  expect(await reset(email, { ticket: await ticket(email) })).toMatchObject({ code: 1 });
  expect(await login(email, NEW_PASSWORD)).toMatchObject({ status: 401, error: 'second_factor_needed' });
});

test('one of ten concurrent resets by ticket or code succeeds', async () => {
  for (const by of ['ticket', 'code', 'both']) {
    const { email } = await member();
    const app_code = await code(email);
    const held = String((await check(email, app_code)).data.ticket);
    const evidence = (n: number) =>
      by === 'ticket' || (by === 'both' && n % 2 === 0) ? { ticket: held } : { app_code };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => reset(email, evidence(n), { password: `heron password ${n}x` })),
    );
    expect(
      answers.filter((answer) => answer.code === 1),
      by,
    ).toHaveLength(1);
    const refused = answers.filter((answer) => answer.code !== 1).map(({ error }) => error);
    expect(
      refused.every((error) => error === 'ticket_used' || error === 'code_wrong'),
      String(refused),
    ).toBe(true);
    const winner = answers.findIndex((answer) => answer.code === 1);
    expect(await login(email, `heron password ${winner}x`)).toMatchObject({ code: 1 });
  }
});

test('after a reset code and tickets are invalid', async () => {
  const { email } = await member();
  const app_code = await code(email);
  const [first, second] = [
    String((await check(email, app_code)).data.ticket),
    String((await check(email, app_code)).data.ticket),
  ];
  expect(await reset(email, { ticket: first })).toMatchObject({ code: 1 });
  expect(await reset(email, { ticket: first })).toMatchObject({ status: 410, error: 'ticket_used' });
  expect(await reset(email, { ticket: second })).toMatchObject({ status: 410, error: 'ticket_used' });
  expect(await reset(email, { app_code })).toMatchObject({ status: 422, error: 'code_wrong' });
});

test('a rejected password leaves ticket and code valid', async () => {
  const { email } = await member();
  const held = { ticket: await ticket(email) };
  for (const [password, error] of [
    ['', 'password_empty'],
    ['short', 'password_too_short'],
    ['password', 'password_common'],
    [email, 'password_personal'],
  ]) {
    expect(await reset(email, held, { password })).toMatchObject({ error });
  }
  expect(await reset(email, held)).toMatchObject({ code: 1 });
});

test('a ticket is valid for ten minutes, one account, address and purpose', async () => {
  const [own, other] = [await member(), await member()];
  const held = await ticket(own.email);
  expect(await reset(other.email, { ticket: held })).toMatchObject({ error: 'ticket_used' });
  expect(await login(other.email, PASSWORD)).toMatchObject({ code: 1 });
  await heron.database.pool.query(`update accounts.tickets set purpose = 'second-factor'`);
  expect(await reset(own.email, { ticket: held })).toMatchObject({ error: 'ticket_used' });
  await heron.database.pool.query(
    `update accounts.tickets set purpose = 'reset-password', expires_at = expires_at - interval '600 s'`,
  );
  expect(await reset(own.email, { ticket: held })).toMatchObject({ error: 'ticket_used' });
});

test.each([
  ['nothing', {}, 'code_empty'],
  ['an empty code', { app_code: '' }, 'code_empty'],
  ['a wrong code', { app_code: '000000' }, 'code_wrong'],
  ['an empty ticket', { ticket: '' }, 'ticket_used'],
  ['a made-up ticket', { ticket: 'A'.repeat(43) }, 'ticket_used'],
  ['a ticket of other signs', { ticket: "' or true --" }, 'ticket_used'],
])('an account and its type with %s reset nothing', async (_what, evidence, error) => {
  const { email, token } = await member();
  expect(await reset(email, evidence)).toMatchObject({ error });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
  expect(await login(email, PASSWORD)).toMatchObject({ code: 1 });
});

test('a sign-in that waits for its second factor ends with a reset', async () => {
  const { email, uid } = await member();
  await heron.database.pool.query(
    `insert into accounts.tickets (ticket_hash, purpose, user_id, expires_at)
     select 'waiting', 'second-factor', id, now() + interval '1 hour' from accounts.users where uid = $1`,
    [uid],
  );
  await reset(email, { ticket: await ticket(email) });
  const { rows } = await heron.database.pool.query(`select * from accounts.tickets where ticket_hash = 'waiting'`);
  expect(rows).toEqual([]);
});

describe('known and unknown accounts', () => {
  test('get the same responses until a code has proven the owner', async () => {
    const [known, unknown] = [(await member()).email, address()];
    // Both addresses have the same length, so that the responses can be compared byte by byte.
    expect(known).toHaveLength(unknown.length);
    // A busy machine may use a few of the 120 s until the next code between the two requests.
    const waitOf = ({ headers }: HttpResponse) => String(headers['retry-after'] ?? '');
    const comparable = (answer: HttpResponse, email: string) => {
      const text = answer.text.replaceAll(email, 'x');
      return waitOf(answer) === '' ? text : text.replaceAll(new RegExp(`\\b${waitOf(answer)}\\b`, 'g'), 'n');
    };
    for (const step of [
      (email: string) => find(email),
      (email: string) => ask(email),
      (email: string) => ask(email),
      (email: string) => check(email, '000000'),
      (email: string) => reset(email, { app_code: '000000' }),
      (email: string) => reset(email, { ticket: 'A'.repeat(43) }),
    ]) {
      const [a, b] = [await step(known), await step(unknown)];
      expect(comparable(a, known)).toBe(comparable(b, unknown));
      expect(Math.abs(Number(waitOf(a)) - Number(waitOf(b)))).toBeLessThan(10);
      const { date: _, 'retry-after': __, ...headers } = a.headers;
      expect(b.headers).toMatchObject(headers);
    }
    const refused = await check(unknown, (await heron.codeFor(unknown)) ?? '');
    expect(refused).toMatchObject({ status: 404, error: 'email_unknown', message: 'e-mail not exist' });
  });

  test('are the same when deleted, except to their owner', async () => {
    const { email, uid } = await member();
    const held = await ticket(email);
    await heron.database.pool.query('update accounts.users set deleted_at = now() where uid = $1', [uid]);
    expect(await reset(email, { ticket: held })).toMatchObject({ error: 'account_deleted' });
    expect(await check(email, '000000')).toMatchObject({ error: 'code_wrong' });
    await heron.expireResendDelay();
    expect(await check(email, await code(email))).toMatchObject({ error: 'account_deleted' });
  });

  test('take equally long over 200 tries for sending and checking', async () => {
    const known: string[] = [];
    const unknown: string[] = [];
    for (let n = 0; n < 5; n++) {
      known.push((await member()).email);
      unknown.push(address());
    }
    const pick = (from: string[], n: number) => from[n % from.length] ?? '';
    const before = async () => {
      await heron.resetRateLimits();
      await heron.expireResendDelay();
    };
    for (const step of [ask, (email: string) => check(email, '000000')]) {
      const ratio = await compareTimes(200, before, [(n) => step(pick(known, n)), (n) => step(pick(unknown, n))]);
      expect(ratio).toBeGreaterThan(0.8);
      expect(ratio).toBeLessThan(1.25);
    }
  }, 300_000);

  test('differ when the setting allows it', async () => {
    await heron.database.pool.query('update accounts.settings set tell_unknown_accounts = true');
    const { email } = await member();
    expect(await find(email)).toMatchObject({ code: 0 });
    expect(await ask(email)).toMatchObject({ code: 0 });
    expect(await find(address())).toMatchObject({ status: 404, message: 'e-mail not exist' });
    const stranger = address();
    expect(await ask(stranger)).toMatchObject({ error: 'email_unknown' });
    expect(await heron.codeFor(stranger)).toBeNull();
    expect(await find('13899999999', 'mobile')).toMatchObject({ status: 404, message: 'phone number not exist' });
    await heron.database.pool.query('update accounts.settings set tell_unknown_accounts = false');
  });
});

test.each([
  ['', 'email', 'e-mail not empty'],
  ['anna', 'email', 'e-mail format error'],
  ['', 'mobile', 'phone number not empty'],
  ['12345', 'mobile', 'phone format error'],
])('%j as %s is rejected: %s', async (typed, type, message) => {
  expect(await find(typed, type)).toMatchObject({ status: 422, message });
  expect(await ask(typed, type === 'mobile' ? 'sms' : type)).toMatchObject({ status: 422, message });
});
