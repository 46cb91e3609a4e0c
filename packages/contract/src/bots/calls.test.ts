import { expect, test } from 'vitest';
import { botCalls } from './calls.ts';

test('a key that no header can hold, or an unusable secret, is rejected at once', () => {
  const taken = (key: string, secret: string) =>
    botCalls.addKey.body?.safeParse({ venue: 'binance-demo', label: 'mine', key, secret })?.success;
  const good = 'aB3-_+/=.'.repeat(7);
  expect(taken(` ${good}\n`, good)).toBe(true);
  const pem = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----`;
  for (const bad of ['密钥密钥密钥密钥密钥', 'abcd efgh ijkl', 'abcdefgh\r\nx-evil: 1', 'abcdefgh\u0000', pem]) {
    expect(taken(bad, good), bad).toBe(false);
    expect(taken(good, bad), bad).toBe(false);
  }
});

test('a label is one visible line without control characters, at most 40 long', () => {
  const taken = (label: string) =>
    botCalls.addKey.body?.safeParse({ venue: 'binance-demo', label, key: 'k'.repeat(16), secret: 's'.repeat(16) })
      ?.success;
  for (const good of ['我的账户 1', 'main 👩‍💻', 'مفتاح', 'a'.repeat(40)]) expect(taken(good), good).toBe(true);
  const codes = [
    0x00, 0x0a, 0x1b, 0x7f, 0x9b, 0xad, 0x61c, 0x200b, 0x200e, 0x2028, 0x202e, 0x2066, 0x3164, 0xd800, 0xfeff, 0xe0041,
  ];
  for (const code of codes) expect(taken(`a${String.fromCodePoint(code)}b`), code.toString(16)).toBe(false);
  expect(taken('a'.repeat(41))).toBe(false);
  expect(taken('  ')).toBe(false);
});
