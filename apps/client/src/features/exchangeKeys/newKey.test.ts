import { botCalls } from '@heron/contract/bots/calls.ts';
import { expect, test } from 'vitest';
import { keyRights } from './keyRights.ts';
import { EMPTY_KEY, keyFaults } from './newKey.ts';

const typed = {
  ...EMPTY_KEY,
  venue: 'mexc-demo' as const,
  label: ' mine ',
  key: ' mx0vglABCDEF ',
  secret: '0123456789abcdef',
};

test('a complete key is valid by the contract', () => {
  expect(keyFaults(typed, true)).toEqual({});
  expect(botCalls.addKey.body?.parse(typed)).toMatchObject({ label: 'mine', key: 'mx0vglABCDEF' });
});

test('an invalid value of a key is reported at its field', () => {
  const wrong = { label: '  ', key: 'short', secret: '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----' };
  expect(Object.keys(keyFaults({ ...typed, ...wrong }, true)).sort()).toEqual(['key', 'label', 'secret']);
  for (const [field, value] of Object.entries(wrong)) {
    expect(botCalls.addKey.body?.safeParse({ ...typed, [field]: value }).success).toBe(false);
  }
});

test('an Ed25519 key is accepted without line breaks, and other kinds are named', () => {
  const ed25519 = `-----BEGIN PRIVATE KEY-----MC4CAQAwBQYDK2VwBCIEI${'A'.repeat(43)}-----END PRIVATE KEY-----`;
  expect(keyFaults({ ...typed, secret: ed25519 }, true)).toEqual({});
  const rsa = ed25519.replace('MC4CAQAwBQYDK2VwBCIEI', 'MIIEvQIBADANBgkqhkiG9');
  expect(keyFaults({ ...typed, secret: rsa }, true)).toEqual({ secret: 'keys.secretKind' });
});

test('the user must confirm withdrawal rights that the exchange does not report', () => {
  expect(keyFaults(typed, false)).toEqual({ withdrawOff: 'keys.withdrawOffMissing' });
  expect(keyFaults({ ...typed, withdrawOff: true }, false)).toEqual({});
});

test('rights that the exchange does not report are never shown as good', () => {
  const tones = (permissions: Parameters<typeof keyRights>[0]) => keyRights(permissions).map(({ tone }) => tone);
  expect(tones({ trade: true, withdraw: false, ipRestricted: true })).toEqual(['good', 'good', 'good']);
  expect(tones({ trade: true, withdraw: null, ipRestricted: null })).toEqual(['good', 'doubt', 'doubt']);
  expect(tones({ trade: false, withdraw: true, ipRestricted: false })).toEqual(['bad', 'bad', 'doubt']);
});
