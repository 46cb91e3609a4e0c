import { proxySeal } from '@heron/contract/process/proxySeal.ts';
import { expect, test } from 'vitest';
import { startPlatform } from '../src/platform.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, SECRET } from './testPlatform.ts';

const heron = platformFixture();
let names = 0;

async function person(group: number | null) {
  const joined = await heron.signUp(`proxied-${names++}`);
  const { uid } = joined.user;
  await heron.database.pool.query('update accounts.users set group_id = $1 where uid = $2', [group, uid]);
  return { uid, token: joined.token };
}

const list = (token: string) => heron.send('System.Proxy.list', {}, bearer(token));
const set = (token: string, scope: string, proxy_url: string | null) =>
  heron.send('System.Proxy.set', { scope, proxy_url }, bearer(token));

test('super administrators set proxies, and passwords are never returned or audited', async () => {
  const { uid, token } = await person(1);
  expect(await list(token)).toMatchObject({ code: 0, data: { proxies: [] } });
  const answers = [
    await set(token, 'mexc', 'socks5://user:geheim@proxy.example:1080'),
    await set(token, 'all', 'http://proxy.example:3128'),
    await set(token, 'binance', 'direct'),
    await list(token),
  ];
  expect(answers.at(-1)).toMatchObject({
    data: {
      proxies: [
        { scope: 'all', proxy: 'http://proxy.example:3128', has_credentials: false },
        { scope: 'binance', proxy: 'direct', has_credentials: false },
        { scope: 'mexc', proxy: 'socks5://proxy.example:1080', has_credentials: true },
      ],
    },
  });
  answers.push(await set(token, 'mexc', 'https://proxy.example'), await set(token, 'all', null));
  expect(answers.at(-1)?.data).toMatchObject({
    proxies: [{ scope: 'binance' }, { scope: 'mexc', has_credentials: false }],
  });
  const { rows } = await heron.database.pool.query(
    `select details from accounts.audit where action = 'proxy.change' and actor_uid = $1 order by id`,
    [uid],
  );
  expect(rows.map(({ details }) => details)).toEqual([
    { scope: 'mexc', proxy: 'socks5://proxy.example:1080' },
    { scope: 'all', proxy: 'http://proxy.example:3128' },
    { scope: 'binance', proxy: 'direct' },
    { scope: 'mexc', proxy: 'https://proxy.example' },
    { scope: 'all', proxy: null },
  ]);
  expect(JSON.stringify([answers, rows])).not.toContain('geheim');
});

test.each([null, 4, 3, 2])('the group %s neither sees nor sets proxies', async (group) => {
  const { token } = await person(group);
  for (const answer of [await list(token), await set(token, 'all', 'http://evil.example')])
    expect(answer).toMatchObject({ status: 403, data: null });
});

test.each([
  ['all', 'gopher://proxy.example'],
  ['all', 'proxy.example:3128'],
  ['all', 'http://proxy.example/path'],
  ['all', 'socks4://proxy.example'],
  ['all', ''],
  ['binance-demo', 'http://proxy.example'],
  ['nowhere', 'http://proxy.example'],
])('the proxy of %s cannot be %j', async (scope, address) => {
  const { token } = await person(1);
  expect(await set(token, scope, address)).toMatchObject({ error: 'invalid_request' });
});

test('a proxy needs a fresh proof', async () => {
  const { token } = await person(1);
  await heron.database.pool.query(`update accounts.sessions set proven_at = now() - interval '31 minutes'`);
  expect(await set(token, 'all', 'http://proxy.example')).toMatchObject({ error: 'proof_needed' });
});

/** Returns all rows of all tables as text, as a dump of the database contains them. */
async function dump(): Promise<string> {
  const { pool } = heron.database;
  const tables = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = tables.rows.map(async ({ name }) => {
    const { rows } = await pool.query<{ text: string }>(`select row::text as text from ${name} row`);
    return `${name}\n${rows.map(({ text }) => text).join('\n')}`;
  });
  return (await Promise.all(texts)).join('\n');
}

test('a database dump contains no proxy credentials, and a bot host opens them', async () => {
  const { token } = await person(1);
  await set(token, 'mexc', 'socks5://traveller:geheim@proxy.example:1080');
  const dumped = await dump();
  expect(dumped).toMatch(/^\(mexc,sealed1\./m);
  expect(dumped).not.toMatch(/geheim|traveller/);
  const { rows } = await heron.database.pool.query(`select address from bots.proxies where scope = 'mexc'`);
  expect(proxySeal(SECRET).open('mexc', rows[0].address)).toBe('socks5://traveller:geheim@proxy.example:1080');
});

test('the next start seals what an older version stored unsealed', async () => {
  const { token } = await person(1);
  await heron.database.pool.query(
    `insert into bots.proxies (scope, address, changed_at) values ('binance', 'http://traveller:geheim@proxy.example:3128', 1)
     on conflict (scope) do update set address = excluded.address`,
  );
  const shown = { scope: 'binance', proxy: 'http://proxy.example:3128', has_credentials: true };
  expect(await dump()).toContain('geheim');
  expect((await list(token)).data.proxies).toContainEqual(shown);
  const restarted = await startPlatform({
    ...{ databaseUrl: heron.databaseUrl, clientDir: heron.clientDir, secret: SECRET, logLevel: 'silent' },
    ...{ host: '127.0.0.1', port: 0, bothostUrl: 'http://127.0.0.1:1' },
  });
  await restarted.close();
  expect(await dump()).not.toContain('geheim');
  expect((await list(token)).data.proxies).toContainEqual(shown);
});

test('a proxy sealed with another secret is unreadable and can be set again', async () => {
  const { token } = await person(1);
  const address = proxySeal('a secret that is lost').seal('all', 'http://proxy.example:3128');
  await heron.database.pool.query(
    `insert into bots.proxies (scope, address, changed_at) values ('all', $1, 1)
     on conflict (scope) do update set address = excluded.address`,
    [address],
  );
  const unreadable = { scope: 'all', proxy: 'unreadable', has_credentials: false };
  expect((await list(token)).data.proxies).toContainEqual(unreadable);
  expect((await set(token, 'all', 'http://proxy.example:3128')).data.proxies).toContainEqual({
    ...unreadable,
    proxy: 'http://proxy.example:3128',
  });
});
