import { expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';
import { bearer } from './testPlatform.ts';

const heron = platformFixture();
let people = 0;

async function ask(path: string, payload: object, token: string): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', ...bearer(token) };
  return JSON.parse((await heron.request(path, { method: 'POST', headers, body: JSON.stringify(payload) })).text);
}
const sendOld = (method: string, payload: object, token: string) => ask('/api.php', { method, ...payload }, token);
const act = (action: string, payload: object, token: string) => ask(`/panacea/action/${action}`, payload, token);

async function signUp() {
  const { token, user } = await heron.signUp(`Named-${++people}`);
  await heron.database.pool.query(
    `update accounts.users set nick_name = 'Ada', email = 'a@b.example', email_key = 'a@b.example', phone = '13800138000',
       real_name = 'Real', qq = '123456', birthday = current_date - interval '30 years 1 day', sex = 1,
       province = '浙江', city = '杭州', description = 'two',
       member_version = 2001, member_level = 4, balance = 5, group_id = 4,
       registered_at = to_timestamp(1700000000), logged_in_at = to_timestamp(1700000009) where id = $1`,
    [user.id],
  );
  return { token, user };
}

const birthday = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const PLACE = { age: 30, birthday, balance: '5.00000000', city: '杭州', province: '浙江', location: '浙江 杭州' };
const SAME = { ...PLACE, description: 'two', role: 'teacher', sex: 1 };

test('older clients get memberInfo in snake_case, with the name as user_name; the typed call has camelCase', async () => {
  const { token, user } = await signUp();
  const ids = { id: user.id, uid: user.uid, username: `Named-${people}` };
  const old = {
    user_info: {
      ...{ ...SAME, ...ids, user_name: ids.username, user_email: 'a@b.example', user_tel: '13800138000' },
      ...{ nick_name: 'Ada', has_password: true, real_name: 'Real', user_qq: '123456', group_id: 4 },
      ...{ member_version: 2001, member_level: 4, version_name: 'VIP', level_name: 'Lv. 4' },
      ...{ reg_time: 1_700_000_000, current_login_time: 1_700_000_009 },
    },
    member_info: { member_version: 2001, member_level: 4 },
    version_name: 'VIP',
    level_name: 'Lv. 4',
  };
  const sent = await sendOld('System.Member.memberInfo', {}, token);
  expect({ ...sent, data: JSON.parse(String(sent.data)) }).toEqual({ code: 0, message: '', data: old });
  expect(await act('GET_MEMBER_INFO', {}, token)).toEqual({ code: 0, message: '', ...old });
  expect(await ask('/api/member/memberInfo', {}, token)).toEqual({
    userInfo: {
      ...{ ...SAME, ...ids, email: 'a@b.example', phone: '13800138000' },
      ...{ nickName: 'Ada', hasPassword: true, realName: 'Real', qq: '123456', groupId: 4 },
      ...{ tier: 2001, tierLevel: 4, tierName: 'VIP', levelName: 'Lv. 4' },
      ...{ registeredAt: 1_700_000_000, loggedInAt: 1_700_000_009 },
    },
    memberInfo: { tier: 2001, tierLevel: 4 },
    tierName: 'VIP',
    levelName: 'Lv. 4',
  });
});

test('each kind of call accepts its own names only', async () => {
  const { token } = await heron.signUp(`Named-${++people}`);
  const both = { nick_name: 'Old', nickName: 'Typed' };
  const { user_info } = JSON.parse(String((await sendOld('System.Member.updateMemberInformation', both, token)).data));
  expect(user_info.nick_name).toBe('Old');
  expect(await act('EDIT_USER', { ...both, nick_name: 'Act' }, token)).toMatchObject({
    user_info: { nick_name: 'Act' },
  });
  const typed = (payload: object) => ask('/api/member/updateMemberInformation', payload, token);
  expect(await typed({ nickName: 'Typed' })).toMatchObject({ userInfo: { nickName: 'Typed' } });
  for (const name of ['nick_name', 'user_name'])
    expect(await typed({ [name]: 'Old' })).toMatchObject({ error: { code: 'invalid_request' } });
});

test('an error names a field as the caller sends it', async () => {
  const { token } = await heron.signUp(`Named-${++people}`);
  const old = { real_name: 7 };
  const details = { reason: expect.stringMatching(/^real_name: /) };
  const generic = await sendOld('System.Member.updateMemberInformation', old, token);
  expect(generic).toMatchObject({ message: expect.stringContaining('real_name'), error: { details } });
  expect(await act('EDIT_USER', old, token)).toMatchObject({ message: expect.stringContaining('real_name'), details });
  const typed = await ask('/api/member/updateMemberInformation', { realName: 7 }, token);
  expect(typed).toMatchObject({ error: { details: { reason: expect.stringMatching(/^realName: /) } } });
  const twice = { code: '123456' };
  expect(await sendOld('System.Session.prove', { ...twice, recovery_code: 'x' }, token)).toMatchObject({
    error: { details: { reason: 'code, recovery_code, passkey' } },
  });
  expect(await ask('/api/session/prove', { ...twice, recoveryCode: 'x' }, token)).toMatchObject({
    error: { details: { reason: 'code, recoveryCode, passkey' } },
  });
});

test('audit entries keep the stored names of settings in every kind of call', async () => {
  const { token, user } = await heron.signUp(`Named-${++people}`);
  await heron.database.pool.query('update accounts.users set group_id = 1 where id = $1', [user.id]);
  await ask('/api/setting/set', { passwordMinLength: 9, registerByEmail: false }, token);
  const entry = { action: 'settings.change', details: { password_least: 9, register_by_email: false } };
  const typed = await ask('/api/audit/list', { action: 'settings.change' }, token);
  expect(typed).toMatchObject({ entries: [{ ...entry, actorUid: user.uid, targetUid: null }] });
  const old = await sendOld('System.Audit.list', { action: 'settings.change' }, token);
  expect(JSON.parse(String(old.data))).toMatchObject({
    entries: [{ ...entry, actor_uid: user.uid, target_uid: null }],
  });
});
