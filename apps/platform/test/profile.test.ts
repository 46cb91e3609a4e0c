import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { methodCall } from '@heron/contract/http/methodCall.ts';
import { expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';
import { bearer } from './testPlatform.ts';

const heron = platformFixture();
let names = 0;

const member = () => heron.signUp(`member-${names++}`);
const info = (payload: object, token?: string) =>
  heron.send('System.Member.memberInfo', payload, token === undefined ? {} : bearer(token));
const save = (token: string, payload: object) =>
  heron.send('System.Member.updateMemberInformation', payload, bearer(token));

test('the own account shows all fields, with names of tier and level', async () => {
  const { token, user } = await member();
  await heron.database.pool.query('update accounts.users set member_version = 2001, member_level = 4 where uid = $1', [
    user.uid,
  ]);
  for (const payload of [{}, { uid: user.uid }, { uid: String(user.uid), get_member_info: 1 }]) {
    expect(await info(payload, token)).toMatchObject({
      code: 0,
      data: {
        user_info: { uid: user.uid, balance: '0.00000000', user_email: null },
        member_info: { member_version: 2001, member_level: 4 },
        version_name: 'VIP',
        level_name: 'Lv. 4',
      },
    });
  }
});

test.each([
  [0, ''],
  [100, 'Top'],
  [2000, 'Trial'],
  [2001, 'VIP'],
  [2002, 'Ultra'],
  [7, ''],
])('the version %i is called %j', async (version, name) => {
  const { token, user } = await member();
  await heron.database.pool.query('update accounts.users set member_version = $1 where uid = $2', [version, user.uid]);
  expect((await info({}, token)).data).toMatchObject({ version_name: name });
});

test('others see the public fields only', async () => {
  const { user } = await member();
  await heron.database.pool.query(
    `update accounts.users set email = 'a@b.example', email_key = 'a@b.example', phone = '13800138000', real_name = 'Real',
     qq = '123456', birthday = '2000-01-02', balance = 5, city = '上海' where uid = $1`,
    [user.uid],
  );
  const stranger = await member();
  for (const answer of [await info({ uid: user.uid }), await info({ uid: user.uid }, stranger.token)]) {
    expect(answer).toMatchObject({ code: 0, data: { user_info: { nick_name: user.nick_name, city: '上海' } } });
    const shown = answer.data.user_info as unknown as Record<string, unknown>;
    expect(Object.keys(shown).sort()).toEqual(
      [
        'age',
        'city',
        'description',
        'member_level',
        'member_version',
        'nick_name',
        'province',
        'role',
        'sex',
        'uid',
        'username',
      ].sort(),
    );
    expect(shown.age).toBeGreaterThanOrEqual(26);
    for (const secret of ['a@b.example', '13800138000', 'Real', '123456', '2000-01-02'])
      expect(answer.text).not.toContain(secret);
  }
});

test('unknown and deleted users are not found; without a uid a session is needed', async () => {
  const { user } = await member();
  await heron.database.pool.query('update accounts.users set deleted_at = now() where uid = $1', [user.uid]);
  expect(await info({ uid: user.uid })).toMatchObject({ status: 404, error: 'not_found' });
  expect(await info({ uid: 1 })).toMatchObject({ status: 404, error: 'not_found' });
  expect(await info({})).toMatchObject({ status: 401, error: 'not_logged_in' });
  for (const uid of [0, -1, 1.5, '1e400', 'x', 1e12])
    expect(await info({ uid })).toMatchObject({ error: 'invalid_request' });
});

test('users change their profile; omitted fields stay', async () => {
  const { token } = await member();
  const first = await save(token, {
    nick_name: '  苍鹭一号  ',
    sex: 2,
    birthday: '1990-02-28',
    real_name: 'Zhang San',
    user_qq: '12345',
    province: '浙江',
    city: '杭州',
    description: 'two\nlines',
  });
  expect(first).toMatchObject({
    code: 0,
    data: {
      user_info: { nick_name: '苍鹭一号', sex: 2, birthday: '1990-02-28', real_name: 'Zhang San', user_qq: '12345' },
    },
  });
  expect(await save(token, { birthday: '', user_qq: '' })).toMatchObject({
    data: {
      user_info: { nick_name: '苍鹭一号', birthday: null, user_qq: '', city: '杭州', description: 'two\nlines' },
    },
  });
  expect(await save(token, {})).toMatchObject({ code: 0, data: { user_info: { city: '杭州' } } });
});

test('older clients send user_name and location', async () => {
  const { token } = await member();
  expect(await save(token, { user_name: 'Old', location: '江苏 南京' })).toMatchObject({
    data: { user_info: { nick_name: 'Old', province: '江苏', city: '南京' } },
  });
});

test.each(['', '   ', '1234567890123', 'a\u0000b', 'a\u202eb', 'a\nb', '\u200b'])(
  'the nickname %j is rejected',
  async (nick_name) => {
    const { token, user } = await member();
    expect(await save(token, { nick_name })).toMatchObject({ status: 422, error: 'nick_name_invalid' });
    expect(await info({}, token)).toMatchObject({ data: { user_info: { nick_name: user.nick_name } } });
  },
);

test('twelve characters are counted as code points', async () => {
  const { token } = await member();
  expect(await save(token, { nick_name: '𠮷'.repeat(12) })).toMatchObject({ code: 0 });
  expect(await save(token, { nick_name: '𠮷'.repeat(13) })).toMatchObject({ error: 'nick_name_invalid' });
});

test.each(['2023-02-29', '2024-13-01', '1990-1-1', '1899-12-31', '2999-01-01', '19900101', 'x', '0000-00-00'])(
  'the birthday %s is rejected',
  async (birthday) => {
    const { token } = await member();
    expect(await save(token, { birthday })).toMatchObject({ status: 422, error: 'birthday_invalid' });
  },
);

test('a leap day and today are valid birthdays', async () => {
  const { token } = await member();
  for (const birthday of ['2024-02-29', new Date().toISOString().slice(0, 10)])
    expect(await save(token, { birthday })).toMatchObject({ code: 0 });
});

test.each([
  { sex: 3 },
  { sex: -1 },
  { sex: '3' },
  { sex: '' },
  { user_qq: '12' },
  { user_qq: 'abcdef' },
  { real_name: 'x'.repeat(41) },
  { province: 'a\u0000' },
  { description: 'x'.repeat(201) },
  { description: 'a\u0000b' },
])('%j is rejected', async (payload) => {
  const { token } = await member();
  expect(await save(token, payload)).toMatchObject({ status: 422, error: 'invalid_request' });
});

test('only fields of the profile are changed', async () => {
  const { token, user } = await member();
  const before = (await info({}, token)).data.user_info;
  const smuggled = {
    uid: 1,
    id: 1,
    group_id: 1,
    groupId: 1,
    role: 'super_administrator',
    balance: '1000000',
    member_version: 100,
    memberVersion: 100,
    member_level: 9,
    username: 'root',
    usernameKey: 'root',
    user_email: 'x@y.example',
    email: 'x@y.example',
    phone: '13800138001',
    passwordHash: 'x',
    deletedAt: null,
    registeredAt: '2000-01-01',
  };
  expect(await save(token, smuggled)).toMatchObject({ code: 0 });
  const { path } = methodCall(accountMethods.updateMemberInformation);
  for (const [field, value] of Object.entries({ ...smuggled, tier: 100, tierLevel: 9 })) {
    const headers = { 'content-type': 'application/json', ...bearer(token) };
    const answer = await heron.request(path, { method: 'POST', headers, body: JSON.stringify({ [field]: value }) });
    expect(answer.status, field).toBe(422);
  }
  expect((await info({}, token)).data.user_info).toEqual(before);
  expect(before?.uid).toBe(user.uid);
});

test('no payload reaches the prototype of objects', async () => {
  const { token } = await member();
  for (const body of [
    '{"method":"System.Member.updateMemberInformation","__proto__":{"group_id":1,"sex":1}}',
    '{"method":"System.Member.updateMemberInformation","constructor":{"prototype":{"group_id":1}}}',
  ]) {
    const { status } = await heron.request('/api.php', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(token) },
      body,
    });
    expect(status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).group_id).toBeUndefined();
    expect(await info({}, token)).toMatchObject({ data: { user_info: { group_id: null, sex: 0 } } });
  }
});

test('older clients find name, age, place and tier in combined fields', async () => {
  const { token, user } = await member();
  expect(user).toMatchObject({ user_name: user.username, age: null, location: '', version_name: '', level_name: '' });
  await heron.database.pool.query(
    `update accounts.users set birthday = current_date - interval '30 years 1 day', province = '浙江', city = '杭州',
       member_version = 2001, member_level = 4 where id = $1`,
    [user.id],
  );
  const { data } = await info({}, token);
  expect(data.user_info).toMatchObject({ age: 30, location: '浙江 杭州', version_name: 'VIP', level_name: 'Lv. 4' });
  await heron.database.pool.query(`update accounts.users set province = '', city = '杭州' where id = $1`, [user.id]);
  expect((await info({}, token)).data.user_info).toMatchObject({ location: '杭州' });
});
