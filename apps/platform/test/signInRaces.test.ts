import { expect, test, vi } from 'vitest';
import { addApp, codeOf, stopClock } from './authenticatorApp.ts';
import { platformFixture } from './platformFixture.ts';
import { softwarePasskey } from './softwarePasskey.ts';
import { bearer, type MethodResult, PASSWORD, until } from './testPlatform.ts';

const heron = platformFixture();
const NEW_PASSWORD = 'heron flies away 42';
/** This deadline is long enough for busy machines. */
const DEADLINE_MS = 30_000;
let people = 0;

/** A user with name, password, e-mail address and phone number. */
type Person = { name: string; uid: number; token: string; email: string; mobile: string };

async function person(): Promise<Person> {
  const number = people++;
  const name = `racer-${number}`;
  const { token, user } = await heron.signUp(name);
  const [email, mobile] = [`${name}@mail.example`, `138${String(number).padStart(8, '0')}`];
  await heron.database.pool.query('update accounts.users set email = $2, email_key = $2, phone = $3 where uid = $1', [
    user.uid,
    email,
    mobile,
  ]);
  return { name, uid: user.uid, token, email, mobile };
}

async function waiting(): Promise<number> {
  const { rows } = await heron.database.pool.query(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}

/**
 * Completes `first` while `second` runs. Both wait for the lock on the account's row, which the database grants in this order.
 * `second` has checked its evidence before it waits.
 */
async function overtaken<T>(uid: number, first: () => Promise<MethodResult>, second: () => Promise<T>): Promise<T> {
  const holder = await heron.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from accounts.users where uid = $1 for update', [uid]);
    const winner = first();
    await until(async () => (await waiting()) === 1, DEADLINE_MS);
    const loser = second();
    await until(async () => (await waiting()) === 2, DEADLINE_MS);
    await holder.query('rollback');
    expect(await winner).toMatchObject({ error: null });
    return await loser;
  } finally {
    holder.release();
  }
}

/** Counts the sessions, devices and tickets of an account. */
async function open(uid: number): Promise<{ sessions: number; devices: number; tickets: number }> {
  const { rows } = await heron.database.pool.query(
    `select
       (select count(*)::int from accounts.sessions where user_id = u.id) as sessions,
       (select count(*)::int from accounts.devices where user_id = u.id) as devices,
       (select count(*)::int from accounts.tickets where user_id = u.id) as tickets
     from accounts.users u where uid = $1`,
    [uid],
  );
  return rows[0];
}
const NOTHING = { sessions: 0, devices: 0, tickets: 0 };

const login = ({ name }: Person) => heron.send('System.Login.login', { username: name, password: PASSWORD });

/** Prepares a password reset by a code that was sent before. */
async function readyReset({ email }: Person): Promise<() => Promise<MethodResult>> {
  await heron.send('System.Password.sendFindPasswordCode', { send_param: email, type: 'email' });
  const app_code = await heron.codeFor(email);
  return () =>
    heron.send('System.Password.passwordReset', { account: email, password: NEW_PASSWORD, type: 'email', app_code });
}

/** Ways to get access to an account, prepared up to the last call. */
const WAYS: Record<string, (who: Person) => Promise<() => Promise<MethodResult>>> = {
  'a login by the old password': async (who) => () => login(who),
  'a login by the old password that goes on to the second step': async (who) => {
    stopClock();
    await addApp(heron, who.token);
    return () => login(who);
  },
  'the second step of a login': async (who) => {
    stopClock();
    const { uri } = await addApp(heron, who.token);
    const { ticket } = JSON.parse((await login(who)).text).error.details;
    return () => heron.send('System.Login.secondFactor', { ticket, code: codeOf(uri) });
  },
  'a login by passkey': async (who) => {
    const origin = heron.platform.url.replace('127.0.0.1', 'localhost');
    const call = (method: string, payload: object = {}, headers: object = {}) =>
      heron.send(`System.Passkey.${method}`, payload, { host: new URL(origin).host, origin, ...headers });
    const key = softwarePasskey();
    const { data: made } = await call('beginRegistration', {}, bearer(who.token));
    const options = made.options as Parameters<typeof key.create>[0];
    await call('finishRegistration', { response: key.create(options, { origin }), name: 'Phone' }, bearer(who.token));
    const { data: asked } = await call('beginLogin');
    const response = key.get(asked.options as Parameters<typeof key.get>[0], { origin });
    return () => call('finishLogin', { response });
  },
  'a login by phone': async ({ mobile }) => {
    await heron.send('System.Login.sendMobileCode', { mobile });
    const sms_captcha = await heron.codeFor(mobile);
    return () => heron.send('System.Login.mobileLogin', { mobile, sms_captcha });
  },
  'a device that logs in by itself': async ({ token }) => {
    const { data } = await heron.send('System.Device.remember', {}, bearer(token));
    return () => heron.send('System.Device.login', { basepass: data.basepass });
  },
  'a session that asks for its device to be remembered':
    async ({ token }) =>
    () =>
      heron.send('System.Device.remember', {}, bearer(token)),
  'the check of the same code, which gives a ticket for another reset':
    async ({ email }) =>
    async () =>
      heron.send('System.Password.checkFindPasswordCode', {
        send_type: 'email',
        send_param: email,
        code: await heron.codeFor(email),
      }),
};

test.each(Object.entries(WAYS))('%s gets no session when a reset overtakes it', async (_way, makeReady) => {
  const who = await person();
  try {
    const enter = await makeReady(who);
    const reset = await readyReset(who);
    const entered = await overtaken(who.uid, reset, enter);
    expect(entered.status).toBeGreaterThanOrEqual(401);
    expect(entered.status).toBeLessThan(500);
    expect(entered.cookie).toBeNull();
    expect(await open(who.uid)).toEqual(NOTHING);
  } finally {
    vi.useRealTimers();
  }
});

/** Acts that end all access to an account. The session of the caller may remain, so `left` is 0 or 1. */
const ENDINGS: [name: string, left: number, makeReady: (who: Person) => Promise<() => Promise<MethodResult>>][] = [
  [
    'a change of the password',
    1,
    async ({ token }) => {
      const payload = { old_password: PASSWORD, new_password: NEW_PASSWORD };
      return () => heron.send('System.Member.modifyPassword', payload, bearer(token));
    },
  ],
  [
    'the removal of a second factor',
    1,
    async ({ token }) => {
      stopClock();
      await addApp(heron, token);
      return () => heron.send('System.SecondFactor.removeTotp', {}, bearer(token));
    },
  ],
  [
    'a logout everywhere',
    0,
    async ({ token }) =>
      () =>
        heron.send('System.Login.logout', { everywhere: true }, bearer(token)),
  ],
  [
    'a new role',
    0,
    async ({ uid }) => {
      const chief = await heron.signUp(`chief-${people++}`);
      await heron.database.pool.query('update accounts.users set group_id = 1 where uid = $1', [chief.user.uid]);
      return () => heron.send('System.User.setRole', { uid, group_id: 3 }, bearer(chief.token));
    },
  ],
];

test.each(ENDINGS)('a sign-in that is overtaken by %s gets no session', async (_name, left, makeReady) => {
  const who = await person();
  try {
    const end = await makeReady(who);
    const entered = await overtaken(who.uid, end, () => login(who));
    expect(entered).toMatchObject({ status: 401, error: 'login_expired', cookie: null });
    expect(await open(who.uid)).toEqual({ ...NOTHING, sessions: left });
  } finally {
    vi.useRealTimers();
  }
});

test.each(['a login by the old password', 'a login by phone'])(
  '%s gets no session when the account is deleted meanwhile',
  async (way) => {
    const who = await person();
    const enter = await WAYS[way]?.(who);
    const deleter = await heron.database.pool.connect();
    try {
      await deleter.query('begin');
      await deleter.query('update accounts.users set deleted_at = now() where uid = $1', [who.uid]);
      await deleter.query(
        'delete from accounts.sessions where user_id = (select id from accounts.users where uid = $1)',
        [who.uid],
      );
      const entered = enter?.();
      await until(async () => (await waiting()) === 1, DEADLINE_MS);
      await deleter.query('commit');
      expect(await entered).toMatchObject({ error: 'account_deleted', cookie: null });
    } finally {
      deleter.release();
    }
    expect(await open(who.uid)).toEqual(NOTHING);
  },
);

test('concurrent acts on one account never deadlock', async () => {
  const who = await person();
  const tokens: string[] = [];
  const basepasses: unknown[] = [];
  for (let n = 0; n < 8; n++) {
    const { data } = await login(who);
    tokens.push(data.token ?? '');
    const device = await heron.send('System.Device.remember', {}, bearer(data.token));
    basepasses.push(device.data.basepass);
  }
  await heron.resetRateLimits();
  const acts = tokens.flatMap((token, n) => [
    login(who),
    heron.send('System.Device.login', { basepass: basepasses[n] }),
    heron.send('System.Device.login', { basepass: basepasses[n] }),
    heron.send('System.Device.remember', {}, bearer(token)),
    heron.send('System.Session.endOthers', {}, bearer(token)),
    heron.send('System.Login.logout', { everywhere: n % 2 === 0 }, bearer(token)),
    heron.send(
      'System.Member.modifyPassword',
      { old_password: PASSWORD, new_password: NEW_PASSWORD },
      bearer(tokens[n - 1]),
    ),
  ]);
  for (const { status, text } of await Promise.all(acts)) expect(status, text).toBeLessThan(500);
});
