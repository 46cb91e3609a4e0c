import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { platformFixture } from './platformFixture.ts';
import { startTestPlatform, type TestPlatform, until } from './testPlatform.ts';

let host: FakeBotHost;
beforeAll(async () => {
  host = await startFakeBotHost();
});
afterAll(() => host.stop());
const heron = platformFixture(() => ({ bothostUrl: host.url, trustedProxies: ['127.0.0.1'] }));
beforeEach(() => {
  host.requests.length = 0;
  host.respond = (_, response) => void response.end('{}');
});

test('concurrent readiness requests probe each dependency once', async () => {
  const released = Promise.withResolvers<void>();
  host.respond = (_, response) => void released.promise.then(() => response.end('{}'));
  const answers = Promise.all(Array.from({ length: 50 }, () => heron.request('/readyz')));
  await until(() => host.requests.length > 0);
  // The platform accepts connections in order, so this response shows that all earlier connections have arrived.
  expect((await heron.request('/healthz')).status).toBe(200);
  released.resolve();
  expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]));
  // The last requests may have arrived after the release.
  expect(host.requests.length).toBeLessThan(10);
});

test('readiness requests count against the limit of an address', async () => {
  const stranger = { 'x-forwarded-for': '192.0.2.7' };
  for (let n = 0; n < 3_000; n += 100) {
    const some = await Promise.all(Array.from({ length: 100 }, () => heron.request('/readyz', { headers: stranger })));
    expect(new Set(some.map(({ status }) => status))).toEqual(new Set([200]));
  }
  const surplus = await heron.request('/readyz', { headers: stranger });
  expect(surplus.status).toBe(429);
  expect((await heron.request('/readyz', { headers: { 'x-forwarded-for': '192.0.2.8' } })).status).toBe(200);
});

test('a caller without a reported address is served', async () => {
  for (const reported of ['x'.repeat(3_000), 'unknown', "'; drop table users; --", '1.2.3.4:99999999', ',,,']) {
    const headers = { 'x-forwarded-for': reported, 'content-type': 'application/json' };
    const body = JSON.stringify({ method: 'System.Login.login', username: 'nobody', password: 'nobody at all' });
    const answer = await heron.request('/api.php', { method: 'POST', headers, body });
    expect(answer.status, reported).toBe(401);
  }
  expect(heron.log()).not.toContain('xxxxxxxxxx');
});

test('an untrusted proxy is warned of once, a trusted one is not', async () => {
  const warnings = ({ log }: TestPlatform) => log().match(/start Heron with --trusted-proxy/g)?.length ?? 0;
  const untrusting = await startTestPlatform();
  for (let n = 0; n < 3; n++) {
    expect((await untrusting.request('/healthz', { headers: { 'x-forwarded-for': '192.0.2.7' } })).status).toBe(200);
  }
  expect(warnings(untrusting)).toBe(1);
  expect(untrusting.log()).toContain('"peer":"127.0.0.1"');
  await untrusting.stop();
  expect(warnings(heron)).toBe(0);
});
