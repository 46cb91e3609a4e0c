import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import webPush from 'web-push';
import { decryptPush } from '../testing/fakePushService.ts';
import { canEncryptFor } from './pushSubscription.ts';

/** RFC 8291, appendix A. */
const SUBSCRIPTION = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const TEXT = 'When I grow up, I want to be a watermelon';
const BODY =
  'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';

/** The browser of the example, with the private key from the RFC. */
function browser() {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'));
  return { pair, auth: Buffer.from(SUBSCRIPTION.auth, 'base64url') };
}

test('the fake browser decrypts the example of RFC 8291', () => {
  expect(decryptPush(Buffer.from(BODY, 'base64url'), browser()).toString()).toBe(TEXT);
});

test('a message that the library encrypts is decrypted as RFC 8291 describes', () => {
  const { cipherText } = webPush.encrypt(SUBSCRIPTION.p256dh, SUBSCRIPTION.auth, TEXT, 'aes128gcm');
  expect(decryptPush(cipherText, browser()).toString()).toBe(TEXT);
});

test('the longest message fills the 4,096 bytes that push services accept', () => {
  const { cipherText } = webPush.encrypt(SUBSCRIPTION.p256dh, SUBSCRIPTION.auth, Buffer.alloc(3_993, 1), 'aes128gcm');
  expect(cipherText).toHaveLength(4_096);
});

test('two messages share neither salt nor key', () => {
  const [one, other] = [1, 2].map(() =>
    webPush.encrypt(SUBSCRIPTION.p256dh, SUBSCRIPTION.auth, 'the same', 'aes128gcm').cipherText.toString('base64url'),
  );
  expect(one?.slice(0, 20)).not.toBe(other?.slice(0, 20));
  expect(one?.slice(28, 100)).not.toBe(other?.slice(28, 100));
});

test.each([
  ['a point that is not on the curve', { ...SUBSCRIPTION, p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['a key that is too short', { ...SUBSCRIPTION, p256dh: SUBSCRIPTION.p256dh.slice(0, 40) }],
  ['a secret that is too short', { ...SUBSCRIPTION, auth: 'AAAA' }],
  ['a missing key', { p256dh: '', auth: '' }],
])('a subscription with %s is rejected', async (_name, subscription) => {
  expect(await canEncryptFor(SUBSCRIPTION)).toBe(true);
  expect(await canEncryptFor(subscription)).toBe(false);
});
