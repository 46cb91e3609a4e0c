import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { keySecret, readKeySecret } from './keySecret.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' })).trim();

test('a line of text is a secret for HMAC, without the spaces around it', () => {
  expect(readKeySecret(' aB3-_+/=.xyz\n')).toEqual({ kind: 'hmac', secret: 'aB3-_+/=.xyz' });
  for (const bad of ['short', 'two words here', 'line\nline line', '密钥密钥密钥密钥密钥', 'a'.repeat(201)]) {
    expect(readKeySecret(bad)).toEqual({ kind: 'invalid', why: 'unreadable' });
  }
});

test('an Ed25519 private key has one form, however its lines are broken', () => {
  const typed = [
    pem,
    `${pem}\r\n`,
    pem.replaceAll('\n', '\r\n'),
    pem.replaceAll('\n', ''),
    pem.replaceAll('\n', '\\n'),
  ];
  for (const text of typed) expect(readKeySecret(text)).toEqual({ kind: 'ed25519', secret: pem });
  expect(keySecret.parse(pem.replaceAll('\n', ' '))).toBe(pem);
});

test('private keys of other kinds and public keys are named, other texts unreadable', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const encrypted = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' });
  const others = [
    rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }),
    generateKeyPairSync('ed448').privateKey.export({ type: 'pkcs8', format: 'pem' }),
    generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }),
    encrypted,
  ];
  for (const other of others) {
    expect(readKeySecret(String(other))).toEqual({ kind: 'invalid', why: 'other_kind' });
    expect(keySecret.safeParse(String(other)).success).toBe(false);
  }
  for (const broken of [pem.slice(0, 60), pem.replace('END', 'ND'), `${pem}\n${pem}`, `${pem}\r\nx-evil: 1`]) {
    expect(readKeySecret(broken)).toEqual({ kind: 'invalid', why: 'unreadable' });
  }
});
