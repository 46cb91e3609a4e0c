import { METHOD_ALIASES } from '@heron/contract/accounts/methodAliases.ts';
import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD } from './testPlatform.ts';

const heron = platformFixture();

test.each([...METHOD_ALIASES])('an older client may call %s for %s', async (alias, name) => {
  expect(Object.values(accountMethods).map((method) => method.name)).toContain(name);
  // Without a payload, the alias returns the same result or error as the method.
  const [by, under] = [await heron.send(alias), await heron.send(name)];
  expect({ ...by, headers: null, text: null }).toEqual({ ...under, headers: null, text: null });
  expect(by.error).not.toBe('not_found');
});

test('no alias replaces an existing method', () => {
  const names: readonly string[] = Object.values(accountMethods).map(({ name }) => name);
  expect(names.filter((name) => METHOD_ALIASES.has(name))).toEqual([]);
});

test('the names of the specification work from registration to password reset', async () => {
  const made = await heron.send('System.Login.usernameRegister', { username: 'Elder', password: PASSWORD });
  expect(made).toMatchObject({ code: 0, data: { user_info: { username: 'Elder' } } });
  const entered = await heron.send('login', { username: 'Elder', password: PASSWORD });
  expect(entered).toMatchObject({ code: 1 });
  const change = { old_password: PASSWORD, new_password: 'the reeds stand still 7' };
  expect(await heron.send('modifyPassword', change, bearer(entered.data.token))).toMatchObject({ code: 0 });
  expect(await heron.send('System.Login.memberInfo')).toMatchObject({ error: 'not_found' });
});
