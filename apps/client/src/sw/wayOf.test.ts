import { expect, test } from 'vitest';
import { wayOf } from './wayOf.ts';

const HERE = 'https://heron.example';
const way = (path: string, mode = 'cors', method = 'GET') => wayOf({ method, mode, url: HERE + path }, HERE);

test('a navigation to any page gets the app', () => {
  for (const path of ['/', '/bots/', '/bot/abc/', '/user-login/?to=%2Fbot%2Fa.b%2F', '/setup/token/'])
    expect(way(path, 'navigate')).toBe('page');
});

test('the worker serves the files of the build', () => {
  expect(way('/assets/start-1a2b3c.js')).toBe('file');
  expect(way('/assets/start-1a2b3c.css', 'no-cors')).toBe('file');
});

test('the worker ignores requests for data and files of the server', () => {
  for (const path of [
    '/api/member/memberInfo',
    '/api.php',
    '/bot/bots',
    '/bot/bots/abc/candles?pair=BTC',
    '/panacea/api.php',
    '/sw.js',
    '/heron.svg',
  ])
    expect(way(path)).toBeNull();
  for (const path of ['/api/member/memberInfo', '/api.php?method=x', '/docs/', '/panacea/a', '/healthz', '/heron.svg'])
    expect(way(path, 'navigate')).toBeNull();
});

test('the worker ignores other methods and other origins', () => {
  expect(way('/user-login/apple/', 'navigate', 'POST')).toBeNull();
  expect(way('/assets/start-1a2b3c.js', 'cors', 'HEAD')).toBeNull();
  expect(wayOf({ method: 'GET', mode: 'navigate', url: 'https://elsewhere.example/' }, HERE)).toBeNull();
});
