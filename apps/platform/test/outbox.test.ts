import { beforeAll, expect, test } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { platformFixture } from './platformFixture.ts';

const heron = platformFixture();
let administrator: { token: string; uid: number };
beforeAll(async () => {
  const { token, user } = await heron.signUp('Keeper');
  await heron.database.pool.query('update accounts.users set group_id = 1 where uid = $1', [user.uid]);
  administrator = { token, uid: user.uid };
});

const list = (token: string, payload = {}) =>
  heron.send('System.Outbox.list', payload, { authorization: `Bearer ${token}` });

test('super administrators read unsent messages, newest first, in pages', async () => {
  await heron.send('System.Register.sendRegisterEmailCode', { email: 'anna@mail.example' });
  await heron.send('System.Register.sendRegisterMobileCode', { mobile: '13812345678' }, { 'accept-language': 'zh' });
  const all = await list(administrator.token);
  expect(all).toMatchObject({
    code: 0,
    data: {
      total: 2,
      page_count: 1,
      list: [
        { kind: 'sms', recipient: '13812345678', subject: '', body: expect.stringMatching(/^【苍鹭】验证码 \d{6}/) },
        { kind: 'email', recipient: 'anna@mail.example', subject: 'Your code to register at Heron' },
      ],
    },
  });
  const second = await list(administrator.token, { start: 2, limit: 1 });
  expect(second.data).toMatchObject({ total: 2, page_count: 2, list: [{ recipient: 'anna@mail.example' }] });
});

test('every read is audited', async () => {
  const reads = async () =>
    (
      await heron.database.pool.query(
        `select count(*)::int as reads from accounts.audit where action = 'outbox.read' and actor_uid = $1`,
        [administrator.uid],
      )
    ).rows[0].reads;
  const before = await reads();
  await list(administrator.token);
  expect(await reads()).toBe(before + 1);
});

test.each([null, 4, 3, 2])('a user of group %s reads nothing', async (group) => {
  const { token, user } = await heron.signUp(`reader${group}`);
  await heron.database.pool.query('update accounts.users set group_id = $1 where uid = $2', [group, user.uid]);
  expect(await list(token)).toMatchObject({ status: 403, error: 'admins_only', data: null });
});

test('a session without a fresh proof reads nothing', async () => {
  const age = (minutes: number) =>
    heron.database.pool.query(
      'update accounts.sessions set proven_at = now() - make_interval(mins => $1) where token_hash = $2',
      [minutes, hashToken(administrator.token)],
    );
  await age(31);
  expect(await list(administrator.token)).toMatchObject({ status: 403, error: 'proof_needed', data: null });
  await age(0);
});

test('a caller without a session reads nothing', async () => {
  expect(await list('')).toMatchObject({ status: 401, error: 'not_logged_in' });
});

test('messages are deleted after seven days', async () => {
  await heron.database.pool.query(`update accounts.outbox set made_at = made_at - interval '7 days 1 minute'`);
  await heron.send('System.Register.sendRegisterEmailCode', { email: 'berta@mail.example' });
  expect((await list(administrator.token)).data).toMatchObject({
    total: 1,
    list: [{ recipient: 'berta@mail.example' }],
  });
});

test('a body copied to another recipient is not shown', async () => {
  await heron.database.pool.query(`update accounts.outbox set recipient = 'mallory@mail.example'`);
  expect((await list(administrator.token)).data).toMatchObject({
    list: [{ recipient: 'mallory@mail.example', body: '' }],
  });
});
