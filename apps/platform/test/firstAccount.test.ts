import { afterEach, expect, test } from 'vitest';
import type { PlatformConfig } from '../src/config.ts';
import { bearer, PASSWORD, startTestPlatform, type TestPlatform } from './testPlatform.ts';

const running: TestPlatform[] = [];
afterEach(() => Promise.all(running.splice(0).map((heron) => heron.stop())));

async function start(config: Partial<PlatformConfig> = {}): Promise<TestPlatform> {
  const heron = await startTestPlatform({ firstAccount: 'administrator', ...config });
  running.push(heron);
  return heron;
}

const register = (heron: TestPlatform, username: string, password = PASSWORD) =>
  heron.send('System.Register.usernameRegister', { username, password });
const rules = async (heron: TestPlatform) => (await heron.send('System.Register.rules')).data;

test('the first account manages the installation, and registration is closed until it opens it', async () => {
  const heron = await start();
  expect(await rules(heron)).toMatchObject({ first_account: true, register_by_name: true });
  expect(await register(heron, 'chief', 'short')).toMatchObject({ error: 'password_too_short' });
  const first = await register(heron, 'chief');
  expect(first).toMatchObject({ error: null, data: { user_info: { role: 'super_administrator' } } });
  const closed = { register_by_name: false, register_by_email: false, register_by_phone: false };
  expect(await rules(heron)).toMatchObject({ first_account: false, ...closed });
  expect(await register(heron, 'second')).toMatchObject({ error: 'way_closed' });
  const token = heron.platform.setupLink?.split('/setup/')[1] ?? '';
  const thief = { setup_token: token, username: 'thief', password: PASSWORD };
  expect(await heron.send('System.Setup.createAdministrator', thief)).toMatchObject({ error: 'setup_link_used' });
  const written = await heron.database.pool.query('select action, target_uid from accounts.audit');
  expect(written.rows).toEqual([{ action: 'administrator.create', target_uid: first.data.user_info?.uid }]);

  const reopened = await heron.send('System.Setting.set', { register_by_name: true }, bearer(first.data.token));
  expect(reopened.error).toBeNull();
  expect((await register(heron, 'second')).data.user_info?.role).toBe('member');
});

test('one of ten first people becomes the administrator, and the others are refused', async () => {
  const heron = await start();
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => register(heron, `first-${n}`)));
  const won = answers.filter(({ error }) => error === null);
  expect(won.map(({ data }) => data.user_info?.role)).toEqual(['super_administrator']);
  expect(answers.filter(({ error }) => error === 'way_closed')).toHaveLength(9);
  const { rows } = await heron.database.pool.query('select count(*)::int from accounts.users');
  expect(rows).toEqual([{ count: 1 }]);
});

const cases: [string, Partial<PlatformConfig>][] = [
  ['by the address on which it listens', { host: '0.0.0.0' }],
  ['at a public address', { publicUrl: 'https://heron.example' }],
  ['through a proxy', { trustedProxies: ['127.0.0.1'] }],
  ['although only this machine does, when so configured', { firstAccount: 'member' }],
];
test.each(cases)('the first account is a member where others reach Heron %s', async (_, config) => {
  const heron = await start(config);
  const sent = config.publicUrl === undefined ? {} : { host: 'heron.example', 'x-forwarded-proto': 'https' };
  const answer = await heron.send(
    'System.Register.usernameRegister',
    { username: 'visitor', password: PASSWORD },
    sent,
  );
  expect(answer.data.user_info?.role).toBe('member');
  expect(heron.platform.setupLink).not.toBeNull();
});

test.each(['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip'])(
  'a request with %s comes through a proxy, so its sender is a member',
  async (header) => {
    const heron = await start();
    const visitor = { username: 'visitor', password: PASSWORD };
    const answer = await heron.send('System.Register.usernameRegister', visitor, { [header]: '1.2.3.4' });
    expect(answer.data.user_info?.role).toBe('member');
  },
);
