import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptPush, isPushReader, PUSH_BYTES } from './pushEncryption.ts';

/** RFC 8291, appendix A. */
const READER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

test('the example of RFC 8291 is encrypted byte for byte as it says', () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'));
  const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
  const body = encryptPush(Buffer.from('When I grow up, I want to be a watermelon'), READER, { salt, pair });
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('the longest message fills what push services take, and a longer one is refused', () => {
  expect(encryptPush(Buffer.alloc(PUSH_BYTES), READER)).toHaveLength(4_096);
  expect(() => encryptPush(Buffer.alloc(PUSH_BYTES + 1), READER)).toThrow(RangeError);
});

test('two messages share neither salt nor key', () => {
  const [one, other] = [1, 2].map(() => encryptPush(Buffer.from('the same'), READER).toString('base64url'));
  expect(one?.slice(0, 20)).not.toBe(other?.slice(0, 20));
  expect(one?.slice(28, 100)).not.toBe(other?.slice(28, 100));
});

test.each([
  ['a point that is not on the curve', { ...READER, p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['a key that is too short', { ...READER, p256dh: READER.p256dh.slice(0, 40) }],
  ['a secret that is too short', { ...READER, auth: 'AAAA' }],
  ['no key at all', { p256dh: '', auth: '' }],
])('%s is no browser that can read', (_what, reader) => {
  expect(isPushReader(READER)).toBe(true);
  expect(isPushReader(reader)).toBe(false);
});
