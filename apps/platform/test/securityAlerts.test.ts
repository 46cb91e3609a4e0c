import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { addApp, codeOf, stopClock } from './authenticatorApp.ts';
import { type SoftwarePasskey, softwarePasskey } from './softwarePasskey.ts';
import { PASSWORD, startTestPlatform, type TestPlatform, until } from './testPlatform.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NEWER_FIREFOX = FIREFOX.replaceAll('140', '141');
const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1';

let heron: TestPlatform;
let names = 0;
beforeAll(async () => {
  heron = await startTestPlatform({ trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
  await heron.stop();
  vi.useRealTimers();
});
beforeEach(async () => {
  stopClock();
  await heron.resetRateLimits();
});

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const HERE = { 'user-agent': FIREFOX, 'x-forwarded-for': '198.51.100.7' };

/** Creates a user with an e-mail address or a phone number. */
async function reachable(contact: { email?: string; phone?: string } = {}) {
  const name = `alerted-${names++}`;
  const email = contact.phone === undefined ? `${name}@mail.example` : null;
  const password = { username: name, password: PASSWORD };
  const { data } = await heron.send('System.Register.usernameRegister', password, HERE);
  await sql('update accounts.users set email = $1, email_key = $1, phone = $2 where username = $3', [
    email,
    contact.phone ?? null,
    name,
  ]);
  const recipient = email ?? contact.phone ?? '';
  return {
    name,
    recipient,
    uid: Number(data.user_info?.uid),
    token: data.token ?? '',
    bearer: { ...HERE, authorization: `Bearer ${data.token}` },
    subjects: async () => (await heron.messagesFor(recipient)).map(({ subject }) => subject),
  };
}

type Reachable = Awaited<ReturnType<typeof reachable>>;

const login = (name: string, headers: object = {}, password = PASSWORD) =>
  heron.send('System.Login.login', { username: name, password }, { ...HERE, ...headers });
const ticketOf = async (name: string) => String(JSON.parse((await login(name)).text).error.details.ticket);
const second = (ticket: string, shown: object) => heron.send('System.Login.secondFactor', { ticket, ...shown }, HERE);

async function addPasskey({ bearer }: Reachable): Promise<string> {
  const origin = heron.platform.url.replace('127.0.0.1', 'localhost');
  const page = { ...bearer, host: new URL(origin).host, origin };
  const { data } = await heron.send('System.Passkey.beginRegistration', {}, page);
  const response = softwarePasskey().create(data.options as Parameters<SoftwarePasskey['create']>[0], { origin });
  const added = await heron.send('System.Passkey.finishRegistration', { response }, page);
  return String(added.data.id);
}

describe('the owner of an account gets an alert', () => {
  const acts: [string, (person: Reachable) => Promise<unknown>, string][] = [
    [
      'that an app was added',
      ({ token }) => addApp(heron, token),
      'An authenticator app was added to your Heron account',
    ],
    [
      'that the app was removed',
      async ({ token, bearer }) => {
        await addApp(heron, token);
        await heron.send('System.SecondFactor.removeTotp', {}, bearer);
      },
      'The authenticator app of your Heron account was removed',
    ],
    ['that a passkey was added', addPasskey, 'A passkey was added to your Heron account'],
    [
      'that a passkey was removed',
      async (person) => {
        const id = await addPasskey(person);
        await heron.send('System.Passkey.remove', { id }, person.bearer);
      },
      'A passkey of your Heron account was removed',
    ],
    [
      'that the recovery codes were renewed',
      async ({ token, bearer }) => {
        await addApp(heron, token);
        await heron.send('System.SecondFactor.newRecoveryCodes', {}, bearer);
      },
      'The recovery codes of your Heron account were renewed',
    ],
    [
      'that a recovery code was used, in both languages',
      async ({ name, token }) => {
        const { recoveryCodes } = await addApp(heron, token);
        await second(await ticketOf(name), { recovery_code: recoveryCodes[0] });
      },
      '苍鹭账号使用了恢复码 / A recovery code of your Heron account was used',
    ],
  ];

  test.each(acts)('%s', async (_what, act, subject) => {
    const person = await reachable();
    await act(person);
    await until(async () => (await person.subjects()).includes(subject));
  });

  test('in the language of the caller, with account, time, place and program', async () => {
    const person = await reachable();
    await addApp(heron, person.token);
    const chinese = { ...person.bearer, 'accept-language': 'zh-CN' };
    await heron.send('System.SecondFactor.newRecoveryCodes', {}, chinese);
    const subject = '苍鹭账号的恢复码已更换';
    await until(async () => (await person.subjects()).includes(subject));
    // Alerts are sent side by side, so that of the new app may come last.
    const mail = (await heron.messagesFor(person.recipient)).find((message) => message.subject === subject);
    expect(mail?.body).toContain(`账号：${person.name}\n`);
    expect(mail?.body).toMatch(/\n时间：\d{4}-\d\d-\d\d \d\d:\d\d UTC\n来源：198\.51\.100\.7，Firefox，Linux\n/);
    expect(mail?.body).not.toContain('Hello');
  });

  test('by text message without an e-mail address, with the number masked', async () => {
    const person = await reachable({ phone: '13900001234' });
    await sql('update accounts.users set username = null, username_key = null where uid = $1', [person.uid]);
    await addApp(heron, person.token);
    await until(async () => (await heron.messagesFor('13900001234')).length > 0);
    const [sms] = await heron.messagesFor('13900001234');
    expect(sms).toMatchObject({ kind: 'sms' });
    expect(sms?.body).toContain('An authenticator app was added to your Heron account (139****1234).');
    expect(sms?.body).not.toContain('13900001234');
  });

  test('ten times a day of one kind, and still of another', async () => {
    const person = await reachable();
    await addApp(heron, person.token);
    for (let times = 0; times < 13; times++)
      await heron.send('System.SecondFactor.newRecoveryCodes', {}, person.bearer);
    const removed = 'The authenticator app of your Heron account was removed';
    await heron.send('System.SecondFactor.removeTotp', {}, person.bearer);
    await until(async () => (await person.subjects()).includes(removed));
    const renewed = (await person.subjects()).filter((subject) => subject.includes('recovery codes'));
    expect(renewed).toHaveLength(10);
  });
});

describe('a sign-in', () => {
  const NEW = '苍鹭账号有新的登录 / New login to your Heron account';
  /** Returns the number of sign-in alerts. It waits for the alert of a later act, before which they would have arrived. */
  const settled = async (person: Reachable, token = person.token) => {
    await addApp(heron, token);
    await until(async () => (await person.subjects()).some((subject) => subject.includes('authenticator app')));
    return (await person.subjects()).filter((subject) => subject === NEW).length;
  };

  test('from a new program or network sends one alert in both languages', async () => {
    const person = await reachable();
    expect(await login(person.name, { 'user-agent': SAFARI })).toMatchObject({ code: 1 });
    await until(async () => (await person.subjects()).length === 1);
    const [mail] = await heron.messagesFor(person.recipient);
    expect(mail).toMatchObject({ kind: 'email', subject: NEW });
    expect(mail?.body).toContain('您的苍鹭账号刚刚在一个新的设备或网络上登录。');
    expect(mail?.body).toContain('From: 198.51.100.7, Safari on iOS\n');
    await login(person.name, { 'x-forwarded-for': '203.0.113.9' });
    await until(async () => (await person.subjects()).length === 2);
    await login(person.name, { 'user-agent': SAFARI });
    await login(person.name, { 'x-forwarded-for': '203.0.113.9' });
    expect(await settled(person)).toBe(2);
  });

  test('sends none at the registration, with a new version, nearby, or when it fails', async () => {
    const person = await reachable();
    await login(person.name);
    await login(person.name, { 'user-agent': NEWER_FIREFOX });
    await login(person.name, { 'x-forwarded-for': '198.51.7.100' });
    await login(person.name, { 'user-agent': SAFARI }, 'not the one 12');
    expect(await settled(person)).toBe(0);
  });

  test('of a remembered device sends none wherever it happens', async () => {
    const person = await reachable();
    const { data } = await heron.send('System.Device.remember', {}, person.bearer);
    const travelling = { ...HERE, 'x-forwarded-for': '203.0.113.9' };
    const entered = await heron.send('System.Device.login', { basepass: data.basepass }, travelling);
    expect(entered).toMatchObject({ code: 1 });
    const again = await login(person.name);
    expect(await settled(person, again.data.token)).toBe(0);
  });

  test('does not wait when the alert cannot be sent', async () => {
    const person = await reachable();
    await sql('update accounts.users set email = null, email_key = null where uid = $1', [person.uid]);
    expect(await login(person.name, { 'user-agent': SAFARI })).toMatchObject({ code: 1 });
  });

  test('stores places as digests, which are deleted with the account', async () => {
    const person = await reachable();
    const { rows } = await sql(
      'select place from accounts.login_places p join accounts.users u on u.id = p.user_id where uid = $1',
      [person.uid],
    );
    expect(rows).toEqual([{ place: expect.stringMatching(/^[\w-]{43}$/) }]);
  });
});

describe('while places cannot be stored', () => {
  const broken = async (act: () => Promise<unknown>) => {
    await sql(
      `create function accounts.refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$`,
    );
    await sql(`create trigger refuse before insert on accounts.rate_limits for each row
      when (new.key like 'login-familiar:%') execute function accounts.refuse()`);
    try {
      await act();
    } finally {
      await sql('drop function accounts.refuse cascade');
    }
  };

  test('an alert about a new place is still sent', async () => {
    const person = await reachable();
    const { uri } = await addApp(heron, person.token);
    await until(async () => (await person.subjects()).length === 1);
    const { text } = await login(person.name, { 'user-agent': SAFARI });
    const { ticket } = JSON.parse(text).error.details;
    await broken(async () => {
      const shown = { ticket, code: codeOf(uri) };
      await heron.send('System.Login.secondFactor', shown, { ...HERE, 'user-agent': SAFARI });
      await until(async () => (await person.subjects()).length === 2);
    });
  });

  test('an alert about a new password is still sent, and the cookie is cleared', async () => {
    const person = await reachable();
    await heron.send('System.Password.sendFindPasswordCode', { send_param: person.recipient, type: 'email' });
    const app_code = await heron.codeFor(person.recipient);
    await broken(async () => {
      const wanted = { account: person.recipient, type: 'email', app_code, password: 'heron flies away 42' };
      const cookie = `heron_session=${person.token}`;
      const answer = await heron.send('System.Password.passwordReset', wanted, { ...HERE, cookie });
      expect(answer.cookie).toBe('heron_session=');
      await until(async () => (await person.subjects()).length === 2);
    });
  });
});

describe('failed sign-ins', () => {
  const MANY = '苍鹭账号多次登录失败 / Many failed logins to your Heron account';
  const FAILED_SECOND = '苍鹭账号的两步验证多次失败 / Two-factor authentication of your Heron account failed';
  /** Ends the delays between tries. */
  const pass = () => sql(`delete from accounts.rate_limits where key like 'login-%' or key like 'second-factor%'`);

  async function fail(name: string, times: number) {
    for (let tries = 0; tries < times; tries++) {
      expect(await login(name, {}, `wrong ${tries}`)).toMatchObject({ status: 401, error: 'login_failed' });
      await pass();
    }
  }

  test('send one alert a day at the twentieth time, invisibly to the caller', async () => {
    const person = await reachable();
    await fail(person.name, 19);
    expect(await person.subjects()).toEqual([]);
    await fail(person.name, 30);
    await until(async () => (await person.subjects()).length > 0);
    expect(await login(person.name)).toMatchObject({ code: 1 });
    expect(await person.subjects()).toEqual([MANY]);
    await fail(`${person.name}-unknown`, 21);
  });

  test('with a correct password and a wrong second factor send one at the fifth time', async () => {
    const person = await reachable();
    const { uri } = await addApp(heron, person.token);
    const wrong = codeOf(uri) === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 7; tries++) {
      expect(await second(await ticketOf(person.name), { code: wrong })).toMatchObject({
        error: 'second_factor_wrong',
      });
      await pass();
    }
    await until(async () => (await person.subjects()).includes(FAILED_SECOND));
    expect((await person.subjects()).filter((subject) => subject === FAILED_SECOND)).toHaveLength(1);
  });
});
