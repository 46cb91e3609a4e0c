import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { makeAuthority } from '@heron/exchanges/testing/certificates.ts';
import { type Platform, startPlatform } from '@heron/platform/platform.ts';
import { freePort, startCaddy, startNginx, type WebProxy } from '@heron/platform/testing/webProxies.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

const PAGE = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'proxy.md'), 'utf8');
const NAME = 'heron.example';
const PASSWORD = 'heron stands still 41';
/** Addresses of two visitors; all of 127.0.0.0/8 is this machine (RFC 1122 3.2.1.3). */
const [ONE, OTHER] = ['127.0.0.2', '127.0.0.3'];

const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-proxies-'));
const authority = makeAuthority();
const certificate = authority.issue([NAME]);
const files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
/** Replaces a bot host; only its stream is used. */
const bothost = createServer();
const streams = new WebSocketServer({ server: bothost });
let database: TemporaryDatabase;
let platform: Platform;
let log = '';

beforeAll(async () => {
  writeFileSync(files.cert, certificate.cert);
  writeFileSync(files.key, certificate.key);
  streams.on('connection', (socket) => socket.send('{"type":"unseen","count":3}'));
  bothost.listen(0, '127.0.0.1');
  await once(bothost, 'listening');
  database = await temporaryDatabase();
  const output = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  platform = await startPlatform(
    {
      ...{ databaseUrl: database.url, host: '127.0.0.1', port: 0, secret: 'a secret of this test only' },
      ...{ bothostUrl: `http://127.0.0.1:${(bothost.address() as AddressInfo).port}`, clientDir: folder },
      ...{ logLevel: 'info', publicUrl: `https://${NAME}`, trustedProxies: ['127.0.0.1'] },
    },
    { log: output },
  );
});
afterAll(async () => {
  await platform.close();
  await database.close();
  for (const client of streams.clients) client.terminate();
  bothost.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns an example of the page, with the paths and addresses of this test inserted. */
function example(language: string, changes: readonly (readonly [there: string, here: string])[]): string {
  const [, text = ''] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(PAGE) ?? [];
  return changes.reduce((changed, [there, here]) => {
    expect(changed).toContain(there);
    return changed.replace(there, here);
  }, text);
}

const upstream = (): readonly [string, string] => ['127.0.0.1:17900', new URL(platform.url).host];

const PROXIES: Record<string, (http: number, https: number) => Promise<WebProxy>> = {
  nginx: (http, https) =>
    startNginx(
      example('nginx', [
        upstream(),
        ['listen 80;', `listen ${http};`],
        ['listen 443 ssl', `listen ${https} ssl`],
        [`/etc/letsencrypt/live/${NAME}/fullchain.pem`, files.cert],
        [`/etc/letsencrypt/live/${NAME}/privkey.pem`, files.key],
      ]),
      https,
    ),
  Caddy: (http, https) =>
    startCaddy(
      `{\n http_port ${http}\n https_port ${https}\n admin off\n skip_install_trust\n}\n${example('caddyfile', [
        upstream(),
        // The test supplies a certificate, because no certificate authority is reachable.
        [`${NAME} {`, `${NAME} {\n\ttls ${files.cert} ${files.key}`],
      ])}`,
      https,
    ),
};

describe.each(Object.keys(PROXIES))('behind %s as documented', (name) => {
  let proxy: WebProxy;
  let http: number;
  let https: number;
  beforeAll(async () => {
    [http, https] = [await freePort(), await freePort()];
    const start = PROXIES[name];
    if (start === undefined) throw new Error('no such proxy');
    proxy = await start(http, https);
  });
  afterAll(() => proxy.stop());

  type Answer = { status: number; error: string | null; cookies: string[]; data: { token?: string } };

  /** Sends a gateway method, as a browser at a given address does. */
  async function send(from: string, method: string, payload: object, headers = {}): Promise<Answer> {
    const body = JSON.stringify({ method, ...payload });
    const given = { host: NAME, origin: `https://${NAME}`, 'content-type': 'application/json', ...headers };
    const asked = request({
      ...{ host: '127.0.0.1', port: https, servername: NAME, ca: authority.cert, agent: false, localAddress: from },
      ...{ method: 'POST', path: '/api.php', headers: { ...given, 'content-length': Buffer.byteLength(body) } },
    });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    const { error, data } = JSON.parse(text);
    const cookies = answer.headers['set-cookie'] ?? [];
    return { status: answer.statusCode, error: error?.code ?? null, cookies, data: data ? JSON.parse(data) : {} };
  }

  const login = (from: string, password: string, headers = {}) =>
    send(from, 'System.Login.login', { username: `Owner-${name}`, password, session: 'cookie' }, headers);

  test('users connect by https, and their cookies are limited to it', async () => {
    const { status } = await send(ONE, 'System.Register.usernameRegister', {
      ...{ username: `Owner-${name}`, password: PASSWORD },
    });
    expect(status).toBe(200);
    const { cookies } = await login(ONE, PASSWORD);
    expect(cookies.join()).toMatch(/__Host-heron_session=.*Secure/);
    const plain = await fetch(`http://127.0.0.1:${http}/bots/`, { redirect: 'manual', headers: { host: NAME } });
    expect([301, 308]).toContain(plain.status);
    expect(plain.headers.get('location')).toMatch(/^https:/);
  });

  test('a visitor who guesses passwords, even from forged addresses, locks nobody out', async () => {
    const tries: string[] = [];
    for (let n = 0; n < 8; n++) {
      const { error } = await login(ONE, 'wrong guess', {
        'x-forwarded-for': `192.0.2.${n}`,
        forwarded: 'for=192.0.2.9',
      });
      tries.push(error ?? '');
    }
    expect(tries.slice(0, 5)).toEqual(Array(5).fill('login_failed'));
    expect(tries.at(-1)).toBe('too_many_requests');
    expect((await login(OTHER, PASSWORD)).status).toBe(200);
    expect(log).toContain(`"ip":"${ONE}"`);
    expect(log).not.toContain('"ip":"192.0.2.');
    expect(log).not.toContain('--trusted-proxy');
  });

  test('events pushed by bots arrive', async () => {
    const { data } = await send(OTHER, 'System.Login.login', { username: `Owner-${name}`, password: PASSWORD });
    const client = new WebSocket(`wss://127.0.0.1:${https}/bot/stream`, {
      ...{ servername: NAME, ca: authority.cert, origin: `https://${NAME}` },
      headers: { host: NAME, authorization: `Bearer ${data.token}` },
    });
    const [pushed] = await once(client, 'message');
    expect(String(pushed)).toBe('{"type":"unseen","count":3}');
    client.terminate();
  });
});
