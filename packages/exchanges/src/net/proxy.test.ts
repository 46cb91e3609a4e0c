import { expect, test } from 'vitest';
import { egressOf, parseProxy, proxyLabel } from './proxy.ts';

const NONE = { venue: null, installation: null, env: {} };
const P = 'http://proxy.test:3128';

function labelOf(egress: ReturnType<typeof egressOf>): string {
  return egress.via === 'proxy' ? proxyLabel(egress.proxy) : egress.via;
}

test.each([
  ['http://u:p%40@proxy.test', 'http', 'proxy.test', 80, { user: 'u', password: 'p@' }],
  ['https://proxy.test:8443/', 'https', 'proxy.test', 8443, null],
  ['socks5h://proxy.test', 'socks5', 'proxy.test', 1080, null],
  ['socks5://[::1]:9', 'socks5', '::1', 9, null],
  ['proxy.test:3128', 'http', 'proxy.test', 3128, null],
])('%s is read as a proxy', (text, scheme, host, port, credentials) => {
  expect(parseProxy(text)).toEqual({ scheme, host, port, credentials });
});

test.each(['', 'ftp://x', 'http://', 'socks4://x', 'http://a/path', 'http://%zz@x', 'http://x:99999'])(
  '%j is no proxy address',
  (text) => {
    expect(parseProxy(text)).toBeNull();
  },
);

test('a venue setting overrides that of the installation, which overrides variables', () => {
  const env = { HTTPS_PROXY: P };
  const of = (venue: string | null, installation: string | null) =>
    labelOf(egressOf('api.test', 443, { venue, installation, env }));
  expect(of('socks5://venue.test', 'http://all.test')).toBe('socks5://venue.test:1080');
  expect(of('direct', 'http://all.test')).toBe('direct');
  expect(of(null, 'http://all.test')).toBe('http://all.test:80');
  expect(of(null, 'direct')).toBe('direct');
  expect(of(null, null)).toBe(P);
  expect(labelOf(egressOf('api.test', 443, NONE))).toBe('direct');
});

test.each([
  [{ HTTPS_PROXY: P }, P],
  [{ https_proxy: P, HTTPS_PROXY: 'http://other.test' }, P],
  [{ ALL_PROXY: 'socks5://s.test' }, 'socks5://s.test:1080'],
  [{ all_proxy: 'socks5://s.test', HTTPS_PROXY: P }, P],
  [{ HTTP_PROXY: P }, 'direct'],
  [{ HTTPS_PROXY: P, NO_PROXY: '*' }, 'direct'],
  [{ HTTPS_PROXY: P, NO_PROXY: 'api.test' }, 'direct'],
  [{ HTTPS_PROXY: P, no_proxy: 'other.test, .test' }, 'direct'],
  [{ HTTPS_PROXY: P, NO_PROXY: 'api.test:443' }, 'direct'],
  [{ HTTPS_PROXY: P, NO_PROXY: 'api.test:8443,pi.test' }, P],
  [{ HTTPS_PROXY: '', ALL_PROXY: '' }, 'direct'],
])('of the variables %j', (env, wanted) => {
  expect(labelOf(egressOf('api.test', 443, { ...NONE, env }))).toBe(wanted);
});

test('this machine is reached directly, whatever the settings', () => {
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost', 'a.localhost']) {
    expect(labelOf(egressOf(host, 80, { venue: P, installation: P, env: { ALL_PROXY: P } }))).toBe('direct');
  }
  expect(labelOf(egressOf('127.example.com', 80, { venue: P, installation: P, env: {} }))).not.toBe('direct');
});
