import { expect, test } from 'vitest';
import { startPlatform } from '../src/platform.ts';
import { platformFixture } from './platformFixture.ts';
import { PASSWORD, SECRET } from './testPlatform.ts';

const heron = platformFixture();

const tokenOf = (link: string | null) => link?.split('/setup/')[1] ?? '';
const check = async (setup_token: string) => (await heron.send('System.Setup.checkToken', { setup_token })).data?.valid;
const create = (setup_token: string, username: string, password = PASSWORD) =>
  heron.send('System.Setup.createAdministrator', { setup_token, username, password });

/** Starts another platform on the same database and returns its setup link. */
async function startAgain(): Promise<string | null> {
  const again = await startPlatform({
    databaseUrl: heron.databaseUrl,
    host: '127.0.0.1',
    port: 0,
    bothostUrl: 'http://127.0.0.1:1',
    secret: SECRET,
    clientDir: heron.clientDir,
    logLevel: 'silent',
  });
  await again.close();
  return again.setupLink;
}

test('the link contains the address and a token that is not stored', async () => {
  const { setupLink, url } = heron.platform;
  expect(setupLink).toMatch(new RegExp(`^${url}/setup/[\\w-]{43}$`));
  const { rows } = await heron.database.pool.query('select * from accounts.setup_link');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(tokenOf(setupLink));
  expect(heron.log()).not.toContain(tokenOf(setupLink));
});

test('only the token of the newest start is valid', async () => {
  const first = tokenOf(heron.platform.setupLink);
  expect(await check(first)).toBe(true);
  const second = tokenOf(await startAgain());
  expect(await check(first)).toBe(false);
  expect(await check(second)).toBe(true);
  expect(await create(first, 'too-late')).toMatchObject({ status: 410, error: 'setup_link_used' });
  for (const wrong of ['', 'A'.repeat(43), "' or true --"]) {
    expect(await check(wrong)).toBe(false);
    expect(await create(wrong, 'guesser')).toMatchObject({ error: 'setup_link_used' });
  }
});

test('a rejected name or password keeps the link; one of ten submits succeeds', async () => {
  const token = tokenOf(await startAgain());
  await heron.signUp('taken');
  expect(await create(token, 'taken')).toMatchObject({ error: 'name_taken' });
  expect(await create(token, 'chief', 'short')).toMatchObject({ error: 'password_too_short' });
  expect(await check(token)).toBe(true);

  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => create(token, `chief-${n}`)));
  const [won, ...others] = answers.toSorted((a, b) => b.code - a.code);
  expect(won).toMatchObject({ code: 0, data: { user_info: { group_id: 1, role: 'super_administrator' } } });
  expect(others.map(({ error }) => error)).toEqual(Array(9).fill('setup_link_used'));
  const { rows } = await heron.database.pool.query('select count(*)::int from accounts.users where group_id = 1');
  expect(rows).toEqual([{ count: 1 }]);
  const written = await heron.database.pool.query(
    `select target_uid from accounts.audit where action = 'administrator.create'`,
  );
  expect(written.rows).toEqual([{ target_uid: won?.data.user_info?.uid }]);
  const me = await heron.send('System.Member.memberInfo', {}, { authorization: `Bearer ${won?.data.token}` });
  expect(me.data.user_info).toMatchObject({ role: 'super_administrator' });

  expect(await check(token)).toBe(false);
  expect(await startAgain()).toBeNull();
  const late = { username: 'late', password: PASSWORD };
  expect(await heron.send('System.Register.usernameRegister', late)).toMatchObject({ error: 'way_closed' });
});

test('a person who is signed in becomes the super administrator; their other sessions end', async () => {
  await heron.database.pool.query('update accounts.users set group_id = null where group_id = 1');
  await heron.database.pool.query('update accounts.settings set register_by_name = true');
  const token = tokenOf(await startAgain());
  const member = await heron.signUp('grown');
  const elsewhere = await heron.send('System.Login.login', { username: 'grown', password: PASSWORD });
  const become = (setup_token: string, authorization?: string) =>
    heron.send('System.Setup.becomeAdministrator', { setup_token }, authorization ? { authorization } : {});
  expect(await become(token)).toMatchObject({ error: 'not_logged_in' });
  const bearer = `Bearer ${member.token}`;
  expect(await become('A'.repeat(43), bearer)).toMatchObject({ error: 'setup_link_used' });
  const [won, second] = (await Promise.all([become(token, bearer), become(token, bearer)])).toSorted(
    (a, b) => b.code - a.code,
  );
  expect(won).toMatchObject({ code: 0, data: { user_info: { role: 'super_administrator' } } });
  expect(second).toMatchObject({ error: 'setup_link_used' });
  const me = (authorization: string) => heron.send('System.Member.memberInfo', {}, { authorization });
  expect((await me(bearer)).data.user_info).toMatchObject({ role: 'super_administrator' });
  expect(await me(`Bearer ${elsewhere.data.token}`)).toMatchObject({ error: 'not_logged_in' });
  expect(await startAgain()).toBeNull();
});

test('with a super administrator a stored token creates no second one', async () => {
  const { hashToken } = await import('../src/gateway/secretToken.ts');
  const token = 'B'.repeat(43);
  await heron.database.pool.query('insert into accounts.setup_link (token_hash) values ($1)', [hashToken(token)]);
  expect(await check(token)).toBe(false);
  expect(await create(token, 'second')).toMatchObject({ error: 'setup_link_used' });
});
