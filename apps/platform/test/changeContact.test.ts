import { expect, test } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD, until } from './testPlatform.ts';

const heron = platformFixture();
let people = 0;

type Contact = { email: string } | { mobile: string };

const member = () => heron.signUp(`contact${people++}`);
const address = () => `person${people++}@mail.example`;
const number = () => `137${String(people++).padStart(8, '0')}`;
const ask = (token: string, contact: object) => heron.send('System.Member.sendContactCode', contact, bearer(token));
const change = (token: string, contact: object, code: string) =>
  heron.send('System.Member.changeContact', { ...contact, code }, bearer(token));
const login = (username: string) => heron.send('System.Login.login', { username, password: PASSWORD });
async function code(token: string, contact: Contact): Promise<string> {
  expect(await ask(token, contact)).toMatchObject({ code: 0, data: { seconds: 120 } });
  return (await heron.codeFor('email' in contact ? contact.email : contact.mobile)) ?? '';
}

test('a confirmed address and number are added and can be used to sign in', async () => {
  const { token } = await member();
  const [email, mobile] = [address(), number()];
  expect(await change(token, { email }, await code(token, { email }))).toMatchObject({
    code: 0,
    data: { user_info: { user_email: email, user_tel: null } },
  });
  expect(await change(token, { mobile }, await code(token, { mobile }))).toMatchObject({
    code: 0,
    data: { user_info: { user_email: email, user_tel: mobile } },
  });
  for (const name of [email, mobile]) expect(await login(name)).toMatchObject({ code: 1 });
});

test('a new address replaces the old one, which then belongs to nobody', async () => {
  const { token, user } = await member();
  const [old, fresh] = [address(), address()];
  await change(token, { email: old }, await code(token, { email: old }));
  await heron.send('System.Password.sendFindPasswordCode', { send_param: old, type: 'email' });
  const typed = await heron.codeFor(old);
  const checked = await heron.send('System.Password.checkFindPasswordCode', {
    send_type: 'email',
    send_param: old,
    code: typed,
  });
  await change(token, { email: fresh }, await code(token, { email: fresh }));
  for (const evidence of [{ ticket: checked.data.ticket }, { app_code: typed }]) {
    const reset = { account: old, type: 'email', password: 'heron flies away 42', ...evidence };
    expect(await heron.send('System.Password.passwordReset', reset)).not.toMatchObject({ status: 200 });
  }
  expect(await login(old)).toMatchObject({ error: 'login_failed' });
  expect(await login(fresh)).toMatchObject({ code: 1, data: { user_info: { uid: user.uid } } });
});

test('the previous address gets an alert about a new address or number', async () => {
  const { token } = await member();
  const [old, fresh, mobile] = [address(), address(), number()];
  await change(token, { email: old }, await code(token, { email: old }));
  await change(token, { email: fresh }, await code(token, { email: fresh }));
  await until(async () => (await heron.mailsFor(old))[0] === 'The e-mail address of your Heron account was changed');
  await change(token, { mobile }, await code(token, { mobile }));
  await until(async () => (await heron.mailsFor(fresh))[0] === 'The phone number of your Heron account was changed');
  expect(await heron.mailsFor(old)).toHaveLength(2);
});

test('a code is valid for the account that requested it only', async () => {
  const [own, thief] = [await member(), await member()];
  const email = address();
  const typed = await code(own.token, { email });
  expect(await change(thief.token, { email }, typed)).toMatchObject({ error: 'code_wrong' });
  expect(await change(own.token, { email }, typed)).toMatchObject({ code: 0 });
});

test('one of ten concurrent changes by one code succeeds', async () => {
  const { token } = await member();
  const email = address();
  const typed = await code(token, { email });
  const answers = await Promise.all(Array.from({ length: 10 }, () => change(token, { email }, typed)));
  expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'code_wrong')).toHaveLength(9);
});

test('a taken address stays with its owner, and only its owner learns of it', async () => {
  const [own, other] = [await member(), await member()];
  const [email, mobile] = [address(), number()];
  await change(other.token, { email }, await code(other.token, { email }));
  await change(other.token, { mobile }, await code(other.token, { mobile }));
  await heron.expireResendDelay();
  const [taken, free] = [await ask(own.token, { email }), await ask(own.token, { email: address() })];
  expect(taken.text).toBe(free.text);
  const typed = (await heron.codeFor(email)) ?? '';
  expect(await change(own.token, { email: email.toUpperCase() }, typed)).toMatchObject({ error: 'email_taken' });
  expect(await change(own.token, { mobile }, await code(own.token, { mobile }))).toMatchObject({
    error: 'phone_taken',
  });
});

test('both requesting and using a code need a fresh proof', async () => {
  const { token } = await member();
  const email = address();
  const typed = await code(token, { email });
  await heron.database.pool.query(
    `update accounts.sessions set proven_at = now() - interval '31 minutes' where token_hash = $1`,
    [hashToken(token)],
  );
  expect(await ask(token, { email: address() })).toMatchObject({ status: 403, error: 'proof_needed' });
  expect(await change(token, { email }, typed)).toMatchObject({ status: 403, error: 'proof_needed' });
});

test('a change is audited without the address', async () => {
  const { token, user } = await member();
  const email = address();
  await change(token, { email }, await code(token, { email }));
  const { rows } = await heron.database.pool.query('select * from accounts.audit where target_uid = $1', [user.uid]);
  expect(rows).toEqual([
    expect.objectContaining({ action: 'contact.change', actor_uid: user.uid, details: { kind: 'email' } }),
  ]);
  expect(JSON.stringify(rows)).not.toContain(email);
});

test.each([
  ['nothing', {}, 'email_empty'],
  ['both', { email: 'a@mail.example', mobile: '13812345678' }, 'invalid_request'],
  ['no address', { email: 'anna' }, 'email_invalid'],
  ['an address at yahoo', { email: 'anna@yahoo.com' }, 'email_yahoo'],
  ['no number', { mobile: '123' }, 'phone_invalid'],
])('%s is rejected: %j', async (_what, contact, error) => {
  const { token } = await member();
  expect(await ask(token, contact)).toMatchObject({ status: 422, error });
  expect(await change(token, contact, '123456')).toMatchObject({ status: 422, error });
});

test('both methods need a session', async () => {
  expect(await ask('', { email: address() })).toMatchObject({ error: 'not_logged_in' });
  expect(await change('', { email: address() }, '123456')).toMatchObject({ error: 'not_logged_in' });
});
