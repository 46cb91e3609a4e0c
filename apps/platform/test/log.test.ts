import { execFile } from 'node:child_process';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { ALL_METHODS } from '@heron/contract/allMethods.ts';
import { renameSchemaFields } from '@heron/contract/http/oldFieldNames.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createLog, describePath } from '../src/gateway/log.ts';
import { SECRET_FIELDS } from '../src/gateway/secretFields.ts';
import { PASSWORD, startTestPlatform } from './testPlatform.ts';

function listen(): { text(): string; log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { text: () => lines.join(''), log: createLog('trace', destination) };
}

test('a request is logged in one line with path and status, without its content', async () => {
  const heron = await startTestPlatform();
  const { token } = await heron.signUp('Logged');
  await heron.send('System.Login.login', { username: 'Logged', password: PASSWORD });
  await heron.send('System.Login.login', { username: 'Logged', password: 'a wrong secret' });
  await heron.send('System.Member.memberInfo', { token });
  await heron.send('System.Member.memberInfo', {}, { cookie: `heron_session=${token}` });
  await heron.request('/some/page?private=question', {
    headers: { authorization: `Bearer ${token}`, referer: 'http://x/?private=past' },
  });
  const lines = heron
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(6);
  expect(requests.at(-1)).toMatchObject({ method: 'GET', path: '/some/page', status: 404, ip: '127.0.0.1' });
  for (const secret of [token, PASSWORD, 'a wrong secret', 'private', 'heron_session=', 'argon2', 'Bearer']) {
    expect(heron.log(), secret).not.toContain(secret);
  }
  await heron.stop();
});

test('the log line contains the method, the user and the error', async () => {
  const heron = await startTestPlatform();
  const { token, user } = await heron.signUp('Logged');
  await heron.send('System.Login.login', { username: 'Logged', password: PASSWORD });
  await heron.send('System.Login.login', { username: 'Logged', password: 'a wrong secret' });
  await heron.send('System.Member.memberList', {}, { authorization: `Bearer ${token}` });
  await heron.send('System.Member.memberInfo', { uid: user.uid });
  await heron.send('System.Session.list', {});
  await heron.request('/bot/bots', { headers: { authorization: `Bearer ${token}` } });
  for (let times = 0; times < 2; times++)
    await heron.send('System.Register.sendRegisterEmailCode', { email: 'often@example.com' });
  await heron.request('/panacea/action/LOGIN', { method: 'POST', headers: { origin: 'https://evil.example' } });
  const requests = heron
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request')
    .map(({ call = null, uid = null, failure = null }) => [call, uid, failure]);
  expect(requests).toEqual([
    ['System.Register.usernameRegister', user.uid, null],
    ['System.Login.login', user.uid, null],
    ['System.Login.login', null, 'login_failed'],
    ['System.Member.memberList', user.uid, 'editors_only'],
    ['System.Member.memberInfo', null, null],
    ['System.Session.list', null, 'not_logged_in'],
    [null, user.uid, 'unavailable'],
    ['System.Register.sendRegisterEmailCode', null, null],
    ['System.Register.sendRegisterEmailCode', null, 'code_too_soon'],
    [null, null, 'cross_origin'],
  ]);
  await heron.stop();
});

test('a failed query is logged without its parameters', async () => {
  const heron = await startTestPlatform();
  await heron.database.pool.query('alter table accounts.users rename column uid to elsewhere');
  const failed = await heron.send('System.Register.usernameRegister', { username: 'Querier', password: PASSWORD });
  expect(failed).toMatchObject({ status: 500, error: 'internal' });
  expect(heron.log()).toMatch(/column \\"uid\\" .*does not exist/);
  const lines = heron
    .log()
    .trim()
    .split('\n')
    .map((line): { msg: string; id: string } => JSON.parse(line));
  const ids = lines.filter(({ msg }) => msg === 'request failed' || msg === 'request').map(({ id }) => id);
  expect(ids).toEqual([ids[0], ids[0]]);
  for (const value of ['Querier', 'querier', PASSWORD, 'argon2']) expect(heron.log(), value).not.toContain(value);
  await heron.stop();
});

test('a field with the name of a secret is redacted', () => {
  const { log, text } = listen();
  log.info(
    {
      password: 'hidden-1',
      body: { token: 'hidden-2' },
      req: undefined,
      a: { b: { cookie: 'hidden-3' } },
      email_code: 'hidden-4',
      emailCode: 'hidden-5',
    },
    'line',
  );
  expect(text()).not.toContain('hidden');
  expect(text()).toContain('[redacted]');
});

/** Fields whose names resemble secrets but that contain none, and `code`, which `secretFields.ts` explains. */
const NO_SECRETS = [
  ...[
    'code',
    'hasPassword',
    'has_password',
    'passwordMinLength',
    'password_least',
    'passwordMaxLength',
    'password_greatest',
  ],
  ...['recoveryCodesLeft', 'recovery_codes_left'],
];

/** Lists all fields of a schema, each with one of its names for older clients. */
function fieldsOf(schema: z.ZodType): { name: string; old: string }[] {
  const found: { name: string; old: string }[] = [];
  z.toJSONSchema(schema, {
    io: 'input',
    override(written) {
      const names = new Map(Object.entries(written.jsonSchema.properties ?? {}).map(([name, field]) => [field, name]));
      renameSchemaFields(written);
      for (const [old, field] of Object.entries(written.jsonSchema.properties ?? {}))
        found.push({ name: names.get(field) ?? old, old });
    },
  });
  return found;
}

const FIELDS = ALL_METHODS.flatMap(({ payload, data }) => [...fieldsOf(payload), ...fieldsOf(data)]);

test('a secret is one under all names of its field', () => {
  expect(FIELDS).toContainEqual({ name: 'smsCaptcha', old: 'sms_captcha' });
  for (const { name, old } of FIELDS) expect(SECRET_FIELDS.includes(old), old).toBe(SECRET_FIELDS.includes(name));
});

test('all fields that sound like secrets are redacted and rejected in addresses', async () => {
  const fields = new Set(FIELDS.flatMap(({ name, old }) => [name, old]));
  const secrets = [...fields].filter(
    (field) => /pass(?!key)|secret|token|code|captcha|ticket/i.test(field) && !NO_SECRETS.includes(field),
  );
  expect(secrets).toEqual(
    expect.arrayContaining(['password', 'basepass', 'identityToken', 'identity_token', 'smsCaptcha', 'sms_captcha']),
  );
  const { log, text } = listen();
  for (const field of secrets) log.info({ [field]: `hidden-${field}`, body: { [field]: `hidden-${field}` } }, 'line');
  expect(text().match(/hidden-\w+/g)).toBeNull();
  const heron = await startTestPlatform();
  for (const field of secrets) {
    for (const address of ['/api.php?method=System.Register.rules&', '/panacea/authentication?']) {
      const answer = await heron.request(`${address}${field}=x`);
      expect(answer.text, field).toContain('secret_in_address');
    }
  }
  await heron.stop();
});

test('a process that ends has written all lines', async () => {
  const log = new URL('../src/gateway/log.ts', import.meta.url).href;
  const ending = `import { createLog } from '${log}'; const log = createLog('info'); log.info('first'); log.info('last'); process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', ending]);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual(['first', 'last']);
});

test('a path is logged without its query and one-time token', () => {
  expect(describePath('/setup/abcdef?x=1')).toBe('/setup/[redacted]');
  for (const before of ['http://heron.example', '/heron', ''])
    expect(describePath(`${before}/signal/id/secret?x=1`)).toBe('/signal/[redacted]');
  expect(describePath('/a?token=b?c')).toBe('/a');
  expect(describePath(`/${'x'.repeat(5_000)}`)).toHaveLength(300);
});
