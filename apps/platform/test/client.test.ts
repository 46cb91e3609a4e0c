import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';

const heron = platformFixture();
const PAGE = '<!doctype html><title>Heron</title>';
const SCRIPT = 'console.log("heron");'.repeat(100);
const navigate = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };

function build(): void {
  mkdirSync(path.join(heron.clientDir, 'assets'), { recursive: true });
  writeFileSync(path.join(heron.clientDir, 'index.html'), PAGE);
  writeFileSync(path.join(heron.clientDir, 'index.html.br'), brotliCompressSync(PAGE));
  writeFileSync(path.join(heron.clientDir, 'heron.svg'), '<svg/>');
  writeFileSync(path.join(heron.clientDir, 'sw.js'), SCRIPT);
  writeFileSync(path.join(heron.clientDir, 'heron.en.webmanifest'), '{}');
  writeFileSync(path.join(heron.clientDir, '.env'), 'SECRET=1');
  writeFileSync(path.join(heron.clientDir, 'assets', 'app-1a2b3c.js'), SCRIPT);
  writeFileSync(path.join(heron.clientDir, 'assets', 'app-1a2b3c.js.br'), brotliCompressSync(SCRIPT));
}

test('pages are missing before the client is built, and found afterwards', async () => {
  expect((await heron.request('/', { headers: navigate })).status).toBe(404);
  build();
  expect(await heron.request('/', { headers: navigate })).toMatchObject({ status: 200, text: PAGE });
});

test('every navigation gets the page, which is always revalidated', async () => {
  for (const address of ['/', '/index.html', '/login', '/bot/abc123/', '/setup/secret-token', '/a/b/c?d=e', '/bots']) {
    const answer = await heron.request(address, { headers: navigate });
    expect(answer).toMatchObject({ status: 200, text: PAGE });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
  }
  // Old browsers, and all browsers over plain http, send no Sec-Fetch headers.
  expect((await heron.request('/login', { headers: { accept: 'text/html,*/*' } })).text).toBe(PAGE);
});

test('requests for data or files do not get the page', async () => {
  for (const [address, headers] of [
    ['/login', { accept: 'application/json' }],
    ['/login', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
    ['/assets/gone-9z8y7x.js', navigate],
    ['/favicon.ico', navigate],
  ] as const) {
    expect((await heron.request(address, { headers })).status).toBe(404);
  }
  expect((await heron.request('/login', { method: 'POST', headers: navigate })).status).toBe(404);
});

test('files with a hash are immutable and compressed with brotli', async () => {
  const plain = await heron.request('/assets/app-1a2b3c.js');
  expect(plain).toMatchObject({ status: 200, text: SCRIPT });
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  const packed = await heron.request('/assets/app-1a2b3c.js', { headers: { 'accept-encoding': 'gzip, deflate, br' } });
  expect(packed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': plain.headers['content-type'],
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(Number(packed.headers['content-length'])).toBeLessThan(200);
  expect((await heron.request('/heron.svg')).headers['cache-control']).toBe('no-cache');
  const again = await heron.request('/', {
    headers: { ...navigate, 'if-none-match': (await heron.request('/')).headers.etag },
  });
  expect(again.status).toBe(304);
});

test('service worker and manifest are revalidated, with the policy of all pages', async () => {
  const worker = await heron.request('/sw.js');
  expect(worker.headers).toMatchObject({
    'content-type': 'application/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  });
  expect(worker.headers['content-security-policy']).toContain("worker-src 'self'");
  const manifest = await heron.request('/heron.en.webmanifest');
  expect(manifest.headers).toMatchObject({
    'content-type': 'application/manifest+json',
    'cache-control': 'no-cache',
  });
});

test('files outside the folder and hidden files are not served', async () => {
  for (const address of [
    '/.env',
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/../../x',
    '/assets/%2e%2e%2f.env',
    '//etc/passwd',
  ]) {
    const answer = await heron.request(address);
    expect(answer.status, address).toBe(404);
  }
});

test('health and readiness are reported', async () => {
  expect(await heron.request('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  const unready = await heron.request('/readyz');
  expect(unready.status).toBe(503);
  expect(JSON.parse(unready.text)).toEqual({ status: 'not ready', database: true, bothost: false });
});
