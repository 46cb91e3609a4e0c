import { expect, test } from 'vitest';
import { isSealedProxy, proxySeal } from './proxySeal.ts';

const ADDRESS = 'socks5://user:geheim@proxy.example:1080';
const seal = proxySeal('a secret of one installation');

test('a sealed address opens again, with the same secret and for the same scope only', () => {
  const stored = seal.seal('mexc', ADDRESS);
  expect(stored).not.toContain('proxy');
  expect(isSealedProxy(stored)).toBe(true);
  expect(proxySeal('a secret of one installation').open('mexc', stored)).toBe(ADDRESS);
  expect(seal.open('all', stored)).toBeNull();
  expect(proxySeal('a secret of another installation').open('mexc', stored)).toBeNull();
  expect(seal.open('mexc', `${stored.slice(0, -4)}AAAA`)).toBeNull();
  expect(seal.open('mexc', 'sealed1.')).toBeNull();
  // Each seal uses another nonce.
  expect(seal.seal('mexc', ADDRESS)).not.toBe(stored);
});

test('an address that an older version has stored is read as it is', () => {
  expect(isSealedProxy(ADDRESS)).toBe(false);
  expect(seal.open('mexc', ADDRESS)).toBe(ADDRESS);
  expect(seal.open('mexc', 'direct')).toBe('direct');
});
