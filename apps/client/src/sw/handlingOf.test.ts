import { expect, test } from 'vitest';
import { handlingOf } from './handlingOf.ts';

const HERE = 'https://heron.example';
const handling = (path: string, mode = 'cors', method = 'GET') => handlingOf({ method, mode, url: HERE + path }, HERE);

test('a navigation to any page gets the app', () => {
  for (const path of ['/', '/bots/', '/bot/abc/', '/user-login/?to=%2Fbot%2Fa.b%2F', '/setup/token/'])
    expect(handling(path, 'navigate')).toBe('page');
});

test('the worker serves the files of the build', () => {
  expect(handling('/assets/start-1a2b3c.js')).toBe('file');
  expect(handling('/assets/start-1a2b3c.css', 'no-cors')).toBe('file');
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
    expect(handling(path)).toBeNull();
  for (const path of ['/api/member/memberInfo', '/api.php?method=x', '/docs/', '/panacea/a', '/healthz', '/heron.svg'])
    expect(handling(path, 'navigate')).toBeNull();
});

test('the worker ignores other methods and other origins', () => {
  expect(handling('/user-login/apple/', 'navigate', 'POST')).toBeNull();
  expect(handling('/assets/start-1a2b3c.js', 'cors', 'HEAD')).toBeNull();
  expect(handlingOf({ method: 'GET', mode: 'navigate', url: 'https://elsewhere.example/' }, HERE)).toBeNull();
});
