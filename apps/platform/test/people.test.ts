import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { hashToken } from '../src/gateway/secretToken.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD } from './testPlatform.ts';

let host: FakeBotHost;
let names = 0;
beforeAll(async () => {
  host = await startFakeBotHost();
  host.respond = (_request, response) => response.end('{"bots":[],"keys":[]}');
});
afterAll(() => host.stop());
const heron = platformFixture(() => ({ bothostUrl: host.url }));

const list = (token: string, payload = {}) => heron.send('System.Member.memberList', payload, bearer(token));
const remove = (token: string, uid: number) => heron.send('System.User.delete', { uid }, bearer(token));
const restore = (token: string, uid: number) => heron.send('System.User.restore', { uid }, bearer(token));
const setRole = (token: string, uid: number, group_id: number | null) =>
  heron.send('System.User.setRole', { uid, group_id }, bearer(token));
const auditList = (token: string, payload = {}) => heron.send('System.Audit.list', payload, bearer(token));

async function person(group: number | null = null) {
  const joined = await heron.signUp(`person-${names++}`);
  await heron.database.pool.query('update accounts.users set group_id = $1 where uid = $2', [group, joined.user.uid]);
  return { ...joined, uid: joined.user.uid };
}

/** Lists actor, action and details of all acts on a user. */
async function audited(uid: number): Promise<object[]> {
  const { rows } = await heron.database.pool.query(
    'select actor_uid, action, details from accounts.audit where target_uid = $1 order by id',
    [uid],
  );
  return rows;
}

test.each([null, 4])('the group %s manages nobody', async (group) => {
  const [{ token }, victim] = [await person(group), await person()];
  for (const answer of [
    await list(token),
    await remove(token, victim.uid),
    await restore(token, victim.uid),
    await setRole(token, victim.uid, 1),
    await auditList(token),
    await heron.send('System.Setting.get', {}, bearer(token)),
    await heron.send('System.Setting.set', { password_least: 6 }, bearer(token)),
  ]) {
    expect(answer).toMatchObject({ status: 403, data: null });
    expect(answer.message).toMatch(/^only (super )?administrators may do this$/);
  }
  expect(await heron.whoAmI(victim.token)).toMatchObject({ code: 0 });
});

test.each([2, 3])('the group %s cannot set roles, read the audit log or change settings', async (group) => {
  const [{ token, uid }, victim] = [await person(group), await person()];
  for (const answer of [
    await setRole(token, victim.uid, 4),
    await setRole(token, uid, 1),
    await restore(token, victim.uid),
    await auditList(token),
    await list(token, { deleted: true }),
    await heron.send('System.Setting.get', {}, bearer(token)),
    await heron.send('System.Setting.set', { password_least: 6 }, bearer(token)),
  ]) {
    expect(answer).toMatchObject({
      status: 403,
      error: 'admins_only',
      message: 'only super administrators may do this',
    });
  }
  expect(await list(token)).toMatchObject({ code: 0 });
});

test.each([
  [1, [2, 3, 4, null], [1]],
  [2, [3, 4, null], [1, 2]],
  [3, [4, null], [1, 2, 3]],
])('the group %s deletes the groups %j and never %j', async (group, lower, upper) => {
  const { token, uid } = await person(group);
  for (const each of lower) {
    const victim = await person(each);
    expect(await remove(token, victim.uid)).toMatchObject({ code: 0 });
    expect(await heron.whoAmI(victim.token)).toMatchObject({ error: 'not_logged_in' });
    expect(await audited(victim.uid)).toEqual([{ actor_uid: uid, action: 'user.delete', details: { own: false } }]);
  }
  for (const each of upper) {
    const victim = await person(each);
    expect(await remove(token, victim.uid)).toMatchObject({ status: 403, error: 'rank_too_high' });
    expect(await heron.whoAmI(victim.token)).toMatchObject({ code: 0 });
    expect(await audited(victim.uid)).toEqual([]);
  }
  expect(await remove(token, uid)).toMatchObject({ error: 'rank_too_high' });
});

test('a deleted user loses all access', async () => {
  const [editor, victim] = [await person(3), await person()];
  const { data } = await heron.send('System.Device.remember', {}, bearer(victim.token));
  expect(await remove(editor.token, victim.uid)).toMatchObject({ code: 0 });
  expect(await heron.send('System.Device.login', { basepass: data.basepass })).toMatchObject({
    error: 'device_unknown',
  });
  const login = await heron.send('System.Login.login', { username: victim.user.username, password: PASSWORD });
  const { rows } = await heron.database.pool.query('select deleted_at from accounts.users where uid = $1', [
    victim.uid,
  ]);
  const day = new Date(rows[0].deleted_at.getTime() + 14 * 86_400_000).toISOString().slice(0, 10);
  expect(login).toMatchObject({ status: 403, error: 'account_deleted', message: expect.stringContaining(day) });
  const wrong = { username: victim.user.username, password: 'not the password' };
  expect(await heron.send('System.Login.login', wrong)).toMatchObject({ error: 'login_failed' });
  expect(await remove(editor.token, victim.uid)).toMatchObject({ error: 'not_found' });
  // The name stays reserved until the account is erased.
  const again = { username: victim.user.username, password: PASSWORD };
  expect(await heron.send('System.Register.usernameRegister', again)).toMatchObject({ error: 'name_taken' });
});

test('deletion and a new role close the streams of the user', async () => {
  const admin = await person(1);
  for (const act of [remove, (token: string, uid: number) => setRole(token, uid, 4)]) {
    const victim = await person();
    const stream = new WebSocket(`${heron.platform.url.replace('http', 'ws')}/bot/stream`, {
      headers: bearer(victim.token),
    });
    await once(stream, 'open');
    const closed = once(stream, 'close');
    expect(await act(admin.token, victim.uid)).toMatchObject({ code: 0 });
    expect((await closed)[0]).toBe(4401);
  }
});

test('an editor who is demoted meanwhile deletes nobody', async () => {
  const [editor, victim] = [await person(3), await person()];
  const { respond } = host;
  host.respond = async (request, response, raw) => {
    await heron.database.pool.query('update accounts.users set group_id = null where uid = $1', [editor.uid]);
    respond(request, response, raw);
  };
  const refused = await remove(editor.token, victim.uid);
  host.respond = respond;
  expect(refused).toMatchObject({ status: 403, error: 'rank_too_high' });
  expect(await heron.whoAmI(victim.token)).toMatchObject({ code: 0 });
});

test('ten concurrent deletions of one person count once', async () => {
  const [editor, victim] = [await person(3), await person()];
  const answers = await Promise.all(Array.from({ length: 10 }, () => remove(editor.token, victim.uid)));
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'not_found')).toHaveLength(9);
  expect(await audited(victim.uid)).toHaveLength(1);
});

test('a super administrator restores a deleted user', async () => {
  const [admin, victim] = [await person(1), await person()];
  await remove(admin.token, victim.uid);
  expect(await list(admin.token, { deleted: true, searchKey: victim.user.username })).toMatchObject({
    data: { data: [{ uid: victim.uid, deleted_at: expect.any(Number) }] },
  });
  expect(await restore(admin.token, victim.uid)).toMatchObject({ code: 0 });
  expect(await restore(admin.token, victim.uid)).toMatchObject({ error: 'not_found' });
  expect(await heron.send('System.Login.login', { username: victim.user.username, password: PASSWORD })).toMatchObject({
    code: 1,
  });
  expect((await audited(victim.uid)).map((row) => (row as { action: string }).action)).toEqual([
    'user.delete',
    'user.restore',
  ]);
});

test('a new role applies at once, ends all access, and is audited', async () => {
  const [admin, other] = [await person(1), await person()];
  const { data } = await heron.send('System.Device.remember', {}, bearer(other.token));
  expect(await setRole(admin.token, other.uid, 3)).toMatchObject({ code: 0 });
  expect(await heron.whoAmI(other.token)).toMatchObject({ error: 'not_logged_in' });
  expect(await heron.send('System.Device.login', { basepass: data.basepass })).toMatchObject({
    error: 'device_unknown',
  });
  const login = await heron.send('System.Login.login', { username: other.user.username, password: PASSWORD });
  expect(login).toMatchObject({ data: { user_info: { role: 'editor', group_id: 3 } } });
  expect(await list(login.data.token ?? '')).toMatchObject({ code: 0 });
  expect(await setRole(admin.token, other.uid, null)).toMatchObject({ code: 0 });
  expect(await audited(other.uid)).toEqual([
    { actor_uid: admin.uid, action: 'user.role', details: { from: null, to: 3 } },
    { actor_uid: admin.uid, action: 'user.role', details: { from: 3, to: null } },
  ]);
});

test.each([0, 5, -1, 1.5, '1', 'admin'])('the group %j does not exist', async (group) => {
  const [admin, other] = [await person(1), await person()];
  expect(await setRole(admin.token, other.uid, group as number)).toMatchObject({ error: 'invalid_request' });
});

test('roles, deletions, restores and settings need a fresh proof', async () => {
  const [admin, other] = [await person(1), await person()];
  await heron.database.pool.query(
    `update accounts.sessions set proven_at = now() - interval '31 minutes' where token_hash = $1`,
    [hashToken(admin.token)],
  );
  expect(await setRole(admin.token, other.uid, 1)).toMatchObject({ error: 'proof_needed' });
  expect(await remove(admin.token, other.uid)).toMatchObject({ error: 'proof_needed' });
  await heron.database.pool.query('update accounts.users set deleted_at = now() where uid = $1', [other.uid]);
  expect(await restore(admin.token, other.uid)).toMatchObject({ error: 'proof_needed' });
  expect(await heron.send('System.Setting.set', { password_least: 6 }, bearer(admin.token))).toMatchObject({
    error: 'proof_needed',
  });
});

test('the last super administrator stays, also for two concurrent acts', async () => {
  await heron.database.pool.query('update accounts.users set group_id = null where group_id = 1');
  const [first, second] = [await person(1), await person(1)];
  const steps = await Promise.all([
    setRole(first.token, first.uid, null),
    setRole(second.token, second.uid, null),
    setRole(first.token, second.uid, 2),
    setRole(second.token, first.uid, 2),
  ]);
  expect(steps.every(({ status }) => status < 500)).toBe(true);
  const { rows } = await heron.database.pool.query('select uid from accounts.users where group_id = 1');
  expect(rows).toHaveLength(1);
  const left = [first, second].find(({ uid }) => uid === rows[0].uid) ?? first;
  const login = await heron.send('System.Login.login', { username: left.user.username, password: PASSWORD });
  const token = login.data.token ?? '';
  expect(await setRole(token, left.uid, 2)).toMatchObject({ status: 409, error: 'last_administrator' });
  expect(await heron.send('System.Member.deleteAccount', { uid: left.uid }, bearer(token))).toMatchObject({
    status: 409,
    error: 'last_administrator',
  });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
});

test('the list has pages of 24, newest first, and a total', async () => {
  const editor = await person(3);
  const tag = `page${names++}`;
  await heron.database.pool.query(
    `insert into accounts.users (uid, username, username_key, nick_name, registered_at, balance, member_level, logged_in_at)
     select 200000000 + n, $1 || n, $1 || n, 'n', now() - make_interval(mins => n), n, n % 7, now() - make_interval(mins => 100 - n)
     from generate_series(1, 30) n`,
    [tag],
  );
  type Row = { username: string; balance: string; member_level: number };
  const page = async (payload: object) => {
    const { data } = await list(editor.token, { searchKey: tag, ...payload });
    return { rows: data.data as Row[], pages: data.page_count };
  };
  const first = await page({});
  expect(first.rows.map(({ username }) => username)).toEqual(
    Array.from({ length: 24 }, (_, index) => `${tag}${index + 1}`),
  );
  expect(first.pages).toBe(2);
  expect((await page({ start: 2 })).rows).toHaveLength(6);
  expect((await page({ start: '2' })).rows).toHaveLength(6);
  expect((await page({ start: 3 })).rows).toEqual([]);
  expect((await page({ sort: 'balance' })).rows[0]).toMatchObject({ username: `${tag}30` });
  expect((await page({ sort: 'level' })).rows[0]).toMatchObject({ member_level: 6 });
  expect((await page({ sort: 'login' })).rows[0]).toMatchObject({ username: `${tag}30` });
  for (const wrong of [{ start: 0 }, { start: -1 }, { limit: 1_000 }, { sort: 'password_hash' }, { start: 1e9 }])
    expect(await list(editor.token, wrong)).toMatchObject({ error: 'invalid_request' });
});

test('people are found by name, nickname, uid, e-mail and phone, without patterns', async () => {
  const editor = await person(3);
  const { uid } = await person();
  await heron.database.pool.query(
    `update accounts.users set username = 'Findling', username_key = 'findling', nick_name = '小鹭_50%', email = 'find@Heron.example',
     email_key = 'find@heron.example', phone = '13912345678' where uid = $1`,
    [uid],
  );
  const found = async (searchKey: string) =>
    ((await list(editor.token, { searchKey })).data.data as { uid: number }[]).map((row) => row.uid);
  for (const key of ['findl', ' FINDLING ', '小鹭', '鹭_50%', String(uid), 'heron.example', '139123', 'ｆｉｎｄｌ'])
    expect(await found(key), key).toEqual([uid]);
  for (const key of ['find_ing', 'F%g', '\\', "' or 1=1 --"]) expect(await found(key), key).toEqual([]);
  expect(await list(editor.token, { searchKey: 'a\u0000' })).toMatchObject({ error: 'invalid_request' });
});

test('the list contains no secrets', async () => {
  const editor = await person(3);
  const { text } = await list(editor.token);
  expect(text).not.toMatch(/argon2|password|hash/i);
});

test.each([
  `update accounts.audit set actor_uid = null`,
  `update accounts.audit set details = '{}', address = ''`,
  `update accounts.audit set address = '192.0.2.1'`,
  `delete from accounts.audit`,
  `truncate accounts.audit`,
  `truncate accounts.audit restart identity cascade`,
])('a query cannot change the audit log: %s', async (query) => {
  const { user } = await heron.signUp(`audited-${names++}`);
  await heron.database.pool.query(
    `insert into accounts.audit (action, actor_uid, details) values ('user.role', $1, '{"group": 1}')`,
    [user.uid],
  );
  const kept = async () => (await heron.database.pool.query('select * from accounts.audit order by id')).rows;
  const before = await kept();
  await expect(heron.database.pool.query(query)).rejects.toThrow('rows of accounts.audit are only added');
  expect(await kept()).toEqual(before);
});

test('the audit log has pages and filters, and shows actor, target and address', async () => {
  const [admin, victim] = [await person(1), await person()];
  await remove(admin.token, victim.uid);
  await restore(admin.token, victim.uid);
  await setRole(admin.token, victim.uid, 4);
  const first = await auditList(admin.token, { uid: victim.uid, limit: 2 });
  expect(first.data).toMatchObject({
    entries: [
      { action: 'user.role', actor_uid: admin.uid, target_uid: victim.uid, address: '127.0.0.1', details: { to: 4 } },
      { action: 'user.restore' },
    ],
    next: expect.any(Number),
  });
  expect(await auditList(admin.token, { uid: victim.uid, limit: 2, before: first.data.next })).toMatchObject({
    data: { entries: [{ action: 'user.delete' }], next: null },
  });
  const only = await auditList(admin.token, { uid: admin.uid, action: 'user.restore' });
  expect(only.data.entries).toMatchObject([{ action: 'user.restore' }]);
  expect((await auditList(admin.token, { uid: admin.uid, action: 'user' })).data.entries).toHaveLength(3);
  expect(await auditList(admin.token, { action: "'; drop" })).toMatchObject({ error: 'invalid_request' });
});

test('super administrators change settings, and each change is audited', async () => {
  const admin = await person(1);
  const set = (payload: object) => heron.send('System.Setting.set', payload, bearer(admin.token));
  expect(await heron.send('System.Setting.get', {}, bearer(admin.token))).toMatchObject({
    data: { password_least: 8, register_by_name: true, editors_need_second_factor: false, session_in_address: false },
  });
  expect(await set({ password_least: 10, register_by_name: true })).toMatchObject({ data: { password_least: 10 } });
  expect(await heron.send('System.Register.rules')).toMatchObject({ data: { password_least: 10 } });
  expect(await set({ password_least: 10 })).toMatchObject({ code: 0 });
  expect(await set({ password_least: 8, single: false, passwordLeast: 6 })).toMatchObject({
    data: { password_least: 8 },
  });
  for (const wrong of [{ password_least: 5 }, { password_least: 129 }, { register_by_name: 'no' }])
    expect(await set(wrong)).toMatchObject({ error: 'invalid_request' });
  const { rows } = await heron.database.pool.query(
    `select details from accounts.audit where action = 'settings.change' and actor_uid = $1 order by id`,
    [admin.uid],
  );
  expect(rows.map(({ details }) => details)).toEqual([{ password_least: 10 }, { password_least: 8 }]);
});

test('editors without a required second factor manage nobody', async () => {
  const [admin, editor] = [await person(1), await person(3)];
  expect(
    await heron.send('System.Setting.set', { editors_need_second_factor: true }, bearer(admin.token)),
  ).toMatchObject({ code: 0 });
  expect(await list(editor.token)).toMatchObject({ error: 'second_factor_missing' });
  await heron.database.pool.query('update accounts.settings set editors_need_second_factor = false');
});
