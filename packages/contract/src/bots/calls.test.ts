import { expect, test } from 'vitest';
import { botCalls } from './calls.ts';

test('a key or secret that no header can hold, or that signs otherwise than we do, is refused before anybody is asked', () => {
  const taken = (key: string, secret: string) =>
    botCalls.addKey.body?.safeParse({ exchange: 'binance', label: 'mine', key, secret })?.success;
  const good = 'aB3-_+/=.'.repeat(7);
  expect(taken(` ${good}\n`, good)).toBe(true);
  const pem = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----`;
  for (const bad of ['密钥密钥密钥密钥密钥', 'abcd efgh ijkl', 'abcdefgh\r\nx-evil: 1', 'abcdefgh\u0000', pem]) {
    expect(taken(bad, good), bad).toBe(false);
    expect(taken(good, bad), bad).toBe(false);
  }
});
