import { describe, expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';
import { PASSWORD } from './testPlatform.ts';

const heron = platformFixture();

const register = (username: string, password = PASSWORD, more = {}) =>
  heron.send('System.Register.usernameRegister', { username, password, ...more });

test('a new member gets code 0, a session, and no internal fields', async () => {
  const joined = await register('Anna');
  expect(joined).toMatchObject({ status: 200, code: 0, message: '', error: null });
  expect(joined.data.token).toMatch(/^[\w-]{43}$/);
  expect(joined.data.user_info).toEqual({
    id: expect.any(Number),
    uid: expect.any(Number),
    username: 'Anna',
    user_name: 'Anna',
    user_email: null,
    user_tel: null,
    has_password: true,
    sex: 0,
    birthday: null,
    age: null,
    real_name: '',
    user_qq: '',
    province: '',
    city: '',
    location: '',
    description: '',
    member_version: 0,
    member_level: 0,
    version_name: '',
    level_name: '',
    balance: '0.00000000',
    nick_name: 'Anna',
    group_id: null,
    role: 'member',
    reg_time: expect.any(Number),
    current_login_time: expect.any(Number),
  });
  expect(Math.abs((joined.data.user_info?.reg_time ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
  expect(String(joined.data.user_info?.uid)).toMatch(/^\d{9}$/);
});

test('one of ten concurrent registrations of one name succeeds, in any case', async () => {
  const names = ['Race', 'race', 'RACE', 'rAce', 'raCe', 'racE', 'RAce', 'raCE', 'ＲＡＣＥ', ' race '];
  const answers = await Promise.all(names.map((name) => register(name)));
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'name_taken')).toHaveLength(9);
});

test('names are stored normalised', async () => {
  expect((await register(' Ｐｌａｉｎ１ ')).data.user_info?.username).toBe('Plain1');
});

test.each([
  'a',
  'x'.repeat(25),
  'with space',
  'semi;colon',
  '<b>bold</b>',
  '123456',
  'аdmin',
  'nul\u0000',
  '\ud800x',
  '',
  'a\nb',
  '138-0013-8000',
  '0086-13800138000',
])('the name %j is rejected', async (name) => {
  expect(await register(name)).toMatchObject({ status: 422, code: -422, error: 'name_invalid' });
});

test.each(['苍鹭', 'a-b_c', 'x'.repeat(24), '7seas'])('the name %s is accepted', async (name) => {
  expect(await register(name)).toMatchObject({ code: 0 });
});

describe('passwords', () => {
  test.each([
    ['', 'password_empty'],
    ['a7$kQ2!', 'password_too_short'],
    // Three emoji of two UTF-16 units each and four letters are seven code points.
    ['🦩🦩🦩q7wz', 'password_too_short'],
    ['x7'.repeat(65), 'password_too_long'],
    ['password', 'password_common'],
    ['Password123!', 'password_common'],
    ['QWERTYUIOP', 'password_common'],
    ['1qaz2wsx', 'password_common'],
    ['woaini1314', 'password_common'],
    ['5201314520', 'password_common'],
    ['ｐａｓｓｗｏｒｄ', 'password_common'],
    ['aaaaaaaaaa', 'password_common'],
    ['abcdefghij', 'password_common'],
    ['98765432', 'password_common'],
    ['x9$x9$x9$', 'password_common'],
    ['19870512', 'password_common'],
    ['keeper_of_bots', 'password_personal'],
    ['Keeper_Of_Bots2026!', 'password_personal'],
  ])('%j is rejected: %s', async (password, error) => {
    expect(await register('keeper_of_bots', password)).toMatchObject({ error });
  });

  test.each([
    ['eight code points', 'k7$kQ2!z'],
    ['eight code points of emoji', '🦩🐢🦊🐝🌵🍋🚲🧭'],
    ['128 code points', `${'q7Rt'.repeat(30)}zyxwvuts`],
    ['spaces', 'heron stands in the reed'],
    ['Chinese', '苍鹭站在芦苇里不动'],
  ])('%s are accepted', async (what, password) => {
    expect(await register(`pw${what.length}-${password.length}`, password)).toMatchObject({ code: 0 });
  });

  test('the same keys on another keyboard give the same password', async () => {
    await register('width', 'Ｈｅｒｏｎ standing 77');
    expect(await heron.send('System.Login.login', { username: 'width', password: 'Heron standing 77' })).toMatchObject({
      code: 1,
    });
  });

  test('the minimum length comes from the settings, and is never below six', async () => {
    await heron.database.pool.query('update accounts.settings set password_least = 6');
    expect(await register('shorter', 'k7$kQ2')).toMatchObject({ code: 0 });
    await expect(heron.database.pool.query('update accounts.settings set password_least = 5')).rejects.toThrow('check');
    await heron.database.pool.query('update accounts.settings set password_least = 12');
    const refused = await register('longer', 'k7$kQ2!z');
    expect(refused).toMatchObject({
      error: 'password_too_short',
      message: 'Use at least 12 characters',
    });
    expect((await heron.send('System.Register.rules')).data).toMatchObject({
      password_least: 12,
      password_greatest: 128,
    });
    await heron.database.pool.query('update accounts.settings set password_least = 8');
  });

  test('only an argon2id hash of 7 MiB and five passes is stored', async () => {
    await register('hashed');
    const { rows } = await heron.database.pool.query(`select * from accounts.users where username = 'hashed'`);
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=7168,t=5,p=1\$/);
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });
});

test('further fields do not make an administrator', async () => {
  const more = {
    group_id: 1,
    groupId: 1,
    role: 'super_administrator',
    id: 1,
    uid: 100_000_001,
    password_hash: 'x',
    nick_name: 'boss',
  };
  const { data } = await register('climber', PASSWORD, more);
  expect(data.user_info).toMatchObject({ group_id: null, role: 'member', nick_name: 'climber' });
  expect(data.user_info?.uid).not.toBe(100_000_001);
  const { rows } = await heron.database.pool.query(`select group_id from accounts.users where username = 'climber'`);
  expect(rows).toEqual([{ group_id: null }]);
});

test('messages are in the language of the caller', async () => {
  const chinese = await heron.send(
    'System.Register.usernameRegister',
    { username: 'a', password: '' },
    { 'accept-language': 'zh-CN,en;q=0.5' },
  );
  expect(chinese.message).toContain('名称须为');
  const english = await heron.send(
    'System.Register.usernameRegister',
    { username: 'a', password: '' },
    { 'accept-language': 'fr, en;q=0.9, zh;q=0.1' },
  );
  expect(english.message).toContain('Use 2 to 24 letters');
  expect((await register('a', '', { lang: 'zh' })).message).toContain('名称须为');
});

test('registrations of one address are limited', async () => {
  await heron.database.pool.query(`insert into accounts.rate_limits values ('register:127.0.0.1', 100, $1)`, [
    Date.now() + 60_000,
  ]);
  const refused = await register('toomany');
  expect(refused).toMatchObject({ status: 429, error: 'too_many_requests' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
});
